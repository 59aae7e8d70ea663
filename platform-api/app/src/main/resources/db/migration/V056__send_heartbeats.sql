-- Integrations that hear of the platform as long as it decides alerts; heartbeat_at is when the next message is due.
ALTER TABLE integration ADD COLUMN heartbeat_at timestamptz;
CREATE INDEX integration_heartbeat ON integration (heartbeat_at) WHERE definition ->> 'heartbeatMinutes' IS NOT NULL;
GRANT UPDATE (heartbeat_at) ON integration TO tidemark_application;

CREATE FUNCTION heartbeats_due(at timestamptz, most integer) RETURNS TABLE (organization_id text, integration_id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    SELECT i.organization_id, i.id
    FROM public.integration AS i
    WHERE i.definition ->> 'heartbeatMinutes' IS NOT NULL AND (i.heartbeat_at IS NULL OR i.heartbeat_at <= at)
    ORDER BY i.heartbeat_at NULLS FIRST, i.organization_id, i.id
    LIMIT most;
  END;
GRANT CREATE ON SCHEMA public TO tidemark_cross_tenant;
ALTER FUNCTION heartbeats_due(timestamptz, integer) OWNER TO tidemark_cross_tenant;
REVOKE CREATE ON SCHEMA public FROM tidemark_cross_tenant;
REVOKE EXECUTE ON FUNCTION heartbeats_due(timestamptz, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION heartbeats_due(timestamptz, integer) TO tidemark_application;
