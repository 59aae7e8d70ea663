-- Whose logs there are, for whoever runs Tidemark and verifies all of them.
GRANT SELECT ON organization, audit_head TO tidemark_cross_tenant;
CREATE FUNCTION organizations_with_audit_log() RETURNS TABLE (organization_id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    SELECT o.id FROM public.organization AS o UNION SELECT h.organization_id FROM public.audit_head AS h ORDER BY 1;
  END;
GRANT CREATE ON SCHEMA public TO tidemark_cross_tenant;
ALTER FUNCTION organizations_with_audit_log() OWNER TO tidemark_cross_tenant;
REVOKE CREATE ON SCHEMA public FROM tidemark_cross_tenant;
REVOKE EXECUTE ON FUNCTION organizations_with_audit_log() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION organizations_with_audit_log() TO tidemark_application;
