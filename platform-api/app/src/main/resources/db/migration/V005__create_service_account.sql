-- Machines that own keys, and what a key has beyond its secret. A service account that was deleted is kept, because
-- its revoked keys and the audit log still name it.
CREATE TABLE service_account (
  organization_id text NOT NULL REFERENCES organization (id),
  id              text NOT NULL CHECK (id ~ '^sa-[a-z2-7]{16}$'),
  display_name    text NOT NULL,
  role            text NOT NULL,
  version         bigint NOT NULL DEFAULT 1,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  deleted_at      timestamptz,
  PRIMARY KEY (organization_id, id)
);
CALL keep_rows_to_their_organization('service_account');
GRANT SELECT, INSERT, UPDATE (display_name, role, version, updated_at, deleted_at)
  ON service_account TO tidemark_application;
GRANT SELECT ON service_account TO tidemark_cross_tenant;

-- Keys that the settings name have no service account.
ALTER TABLE api_key
  ADD COLUMN service_account_id text,
  ADD COLUMN expires_at         timestamptz,
  ADD COLUMN last_used_at       timestamptz,
  ADD FOREIGN KEY (organization_id, service_account_id) REFERENCES service_account (organization_id, id);
CREATE INDEX api_key_of_service_account ON api_key (organization_id, service_account_id, id);
GRANT UPDATE (last_used_at) ON api_key TO tidemark_application;

-- Answers with more than before, so it is made anew.
DROP FUNCTION find_api_key(text);
CREATE FUNCTION find_api_key(key_id text)
  RETURNS TABLE (id text, organization_id text, environment_id text, secret_hmac bytea, scopes text[], revoked boolean,
                 expires_at timestamptz, role text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    SELECT k.id, k.organization_id, k.environment_id, k.secret_hmac, k.scopes,
           k.revoked_at IS NOT NULL OR e.state <> 'active' OR s.deleted_at IS NOT NULL,
           k.expires_at, s.role
    FROM public.api_key AS k
    JOIN public.environment AS e ON e.organization_id = k.organization_id AND e.id = k.environment_id
    LEFT JOIN public.service_account AS s
      ON s.organization_id = k.organization_id AND s.id = k.service_account_id
    WHERE k.id = key_id;
  END;
GRANT CREATE ON SCHEMA public TO tidemark_cross_tenant;
ALTER FUNCTION find_api_key(text) OWNER TO tidemark_cross_tenant;
REVOKE CREATE ON SCHEMA public FROM tidemark_cross_tenant;
REVOKE EXECUTE ON FUNCTION find_api_key(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_api_key(text) TO tidemark_application;
