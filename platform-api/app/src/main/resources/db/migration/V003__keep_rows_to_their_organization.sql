-- Three roles. The owner of the schema (who runs this) migrates and does nothing else. tidemark_application
-- is what the application logs in as: it owns nothing, and sees and writes only rows of the organisation
-- its transaction names. tidemark_cross_tenant cannot log in; it owns the few functions that must look
-- over all organisations, and may read what these need.
-- Roles belong to the whole cluster, so they may be there already, made by another database or an operator.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'tidemark_application') THEN
    CREATE ROLE tidemark_application NOLOGIN;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'tidemark_cross_tenant') THEN
    CREATE ROLE tidemark_cross_tenant NOLOGIN;
  END IF;
  IF EXISTS (
    SELECT FROM pg_roles
    WHERE rolname IN ('tidemark_application', 'tidemark_cross_tenant') AND (rolsuper OR rolbypassrls)
  ) THEN
    RAISE EXCEPTION 'tidemark_application and tidemark_cross_tenant must be neither superuser nor BYPASSRLS';
  END IF;
  IF pg_has_role('tidemark_application', 'tidemark_cross_tenant', 'MEMBER') THEN
    RAISE EXCEPTION 'tidemark_application must not be a member of tidemark_cross_tenant';
  END IF;
  -- An owner that is no superuser has to be a member to hand functions over.
  IF NOT pg_has_role(current_user, 'tidemark_cross_tenant', 'USAGE') THEN
    EXECUTE format('GRANT tidemark_cross_tenant TO %I', current_user);
  END IF;
  REVOKE CREATE ON SCHEMA public FROM PUBLIC;
END
$$;

GRANT USAGE ON SCHEMA public TO tidemark_application, tidemark_cross_tenant;

-- The organisation of the current transaction; null outside one, so that comparisons with it hold for no row.
CREATE FUNCTION current_organization() RETURNS text
  LANGUAGE sql STABLE
  RETURN nullif(current_setting('tidemark.organization_id', true), '');

-- What every table of tenants gets: rows are kept to their organisation even from the table's owner, and
-- the application passes only with the organisation its transaction names.
CREATE PROCEDURE keep_rows_to_their_organization(target regclass, organization_column name DEFAULT 'organization_id')
  LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  EXECUTE format(
    'CREATE POLICY own_rows ON %s TO tidemark_application USING (%I = current_organization()) WITH CHECK (%I = current_organization())',
    target, organization_column, organization_column);
  EXECUTE format('CREATE POLICY every_row_for_reading ON %s FOR SELECT TO tidemark_cross_tenant USING (true)', target);
END
$$;
REVOKE EXECUTE ON PROCEDURE keep_rows_to_their_organization(regclass, name) FROM PUBLIC;

CALL keep_rows_to_their_organization('organization', 'id');
CALL keep_rows_to_their_organization('environment');
CALL keep_rows_to_their_organization('api_key');

GRANT SELECT, INSERT ON organization, environment, api_key TO tidemark_application;
GRANT UPDATE (secret_hmac, scopes, revoked_at) ON api_key TO tidemark_application;
GRANT SELECT ON api_key TO tidemark_cross_tenant;

-- Whose a key is, asked by its public id before any organisation is known.
CREATE FUNCTION find_api_key(key_id text)
  RETURNS TABLE (id text, organization_id text, environment_id text, secret_hmac bytea, scopes text[], revoked boolean)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    SELECT k.id, k.organization_id, k.environment_id, k.secret_hmac, k.scopes, k.revoked_at IS NOT NULL
    FROM public.api_key AS k
    WHERE k.id = key_id;
  END;
GRANT CREATE ON SCHEMA public TO tidemark_cross_tenant;
ALTER FUNCTION find_api_key(text) OWNER TO tidemark_cross_tenant;
REVOKE CREATE ON SCHEMA public FROM tidemark_cross_tenant;
REVOKE EXECUTE ON FUNCTION find_api_key(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_api_key(text) TO tidemark_application;
