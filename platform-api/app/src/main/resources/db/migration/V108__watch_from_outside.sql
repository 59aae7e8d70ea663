-- Figures for who watches the platform from outside: numbers and times, and nothing of any organisation.

-- Deliveries that wait, whatever for, and since when the one that is due longest is due; null while none is.
CREATE FUNCTION deliveries_waiting(at timestamptz) RETURNS TABLE (waiting bigint, oldest_due timestamptz)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    SELECT
      (SELECT count(*) FROM public.delivery WHERE state = 'waiting'),
      (SELECT d.next_attempt_at
       FROM public.deliveries_due(at, 1, 1) AS due
       JOIN public.delivery AS d ON d.organization_id = due.organization_id AND d.id = due.delivery_id);
  END;

-- Told and not mended.
CREATE INDEX reconciliation_difference_open ON reconciliation_difference (stage)
  WHERE told_at IS NOT NULL AND mended_at IS NULL;

-- Differences that were found twice and are still there, of organisations that are still there. None for a stage without.
CREATE FUNCTION reconciliation_differences_open() RETURNS TABLE (stage text, differences bigint)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    SELECT d.stage, count(*)
    FROM public.reconciliation_difference AS d
    JOIN public.organization AS o ON o.id = d.organization_id AND o.state <> 'deleted'
    WHERE d.told_at IS NOT NULL AND d.mended_at IS NULL
    GROUP BY d.stage;
  END;
GRANT SELECT ON reconciliation_difference TO tidemark_cross_tenant;

GRANT CREATE ON SCHEMA public TO tidemark_cross_tenant;
ALTER FUNCTION deliveries_waiting(timestamptz) OWNER TO tidemark_cross_tenant;
ALTER FUNCTION reconciliation_differences_open() OWNER TO tidemark_cross_tenant;
REVOKE CREATE ON SCHEMA public FROM tidemark_cross_tenant;
REVOKE EXECUTE ON FUNCTION deliveries_waiting(timestamptz), reconciliation_differences_open() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION deliveries_waiting(timestamptz), reconciliation_differences_open() TO tidemark_application;
