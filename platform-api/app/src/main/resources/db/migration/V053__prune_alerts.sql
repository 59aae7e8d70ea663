-- Rows of alerts that are older than is promised go; whose, is asked across organisations.
CREATE INDEX delivery_age ON delivery (organization_id, ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX incident_age ON incident (organization_id, ended_at) WHERE state <> 'open';
CREATE INDEX silence_over ON silence (organization_id, over_at);
GRANT SELECT ON alert_transition, silence TO tidemark_cross_tenant;

CREATE FUNCTION organizations_with_old_alerts(before timestamptz, incidents_before timestamptz)
  RETURNS TABLE (organization_id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    SELECT o.id
    FROM public.organization AS o
    WHERE EXISTS (SELECT FROM public.alert_transition AS t WHERE t.organization_id = o.id AND t.recorded_at < before)
      OR EXISTS (SELECT FROM public.silence AS s WHERE s.organization_id = o.id AND s.over_at < before)
      OR EXISTS (SELECT FROM public.incident AS i
        WHERE i.organization_id = o.id AND i.state <> 'open' AND i.ended_at < incidents_before)
    ORDER BY o.id;
  END;

CREATE FUNCTION organizations_with_old_deliveries(before timestamptz) RETURNS TABLE (organization_id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    SELECT o.id
    FROM public.organization AS o
    WHERE EXISTS (SELECT FROM public.delivery AS d WHERE d.organization_id = o.id AND d.ended_at < before)
    ORDER BY o.id;
  END;

GRANT CREATE ON SCHEMA public TO tidemark_cross_tenant;
ALTER FUNCTION organizations_with_old_alerts(timestamptz, timestamptz) OWNER TO tidemark_cross_tenant;
ALTER FUNCTION organizations_with_old_deliveries(timestamptz) OWNER TO tidemark_cross_tenant;
REVOKE CREATE ON SCHEMA public FROM tidemark_cross_tenant;
REVOKE EXECUTE ON FUNCTION organizations_with_old_alerts(timestamptz, timestamptz) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION organizations_with_old_deliveries(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION organizations_with_old_alerts(timestamptz, timestamptz) TO tidemark_application;
GRANT EXECUTE ON FUNCTION organizations_with_old_deliveries(timestamptz) TO tidemark_application;
