-- Whose integrations have secrets that are to be sealed with another secret of the installation.
CREATE FUNCTION organizations_with_integrations() RETURNS TABLE (organization_id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    SELECT o.id
    FROM public.organization AS o
    WHERE EXISTS (SELECT FROM public.integration AS i WHERE i.organization_id = o.id)
    ORDER BY o.id;
  END;

GRANT CREATE ON SCHEMA public TO tidemark_cross_tenant;
ALTER FUNCTION organizations_with_integrations() OWNER TO tidemark_cross_tenant;
REVOKE CREATE ON SCHEMA public FROM tidemark_cross_tenant;
REVOKE EXECUTE ON FUNCTION organizations_with_integrations() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION organizations_with_integrations() TO tidemark_application;
