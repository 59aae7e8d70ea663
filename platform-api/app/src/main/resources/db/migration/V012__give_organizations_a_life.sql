-- Organisations are archived and deleted as environments are. A deleted one is kept, so that its identifier, its audit
-- log and the accounts of people stay what they were.
ALTER TABLE organization
  ADD COLUMN state        text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'archived', 'deleting', 'deleted')),
  ADD COLUMN delete_after timestamptz,
  ADD CHECK ((state = 'deleting') = (delete_after IS NOT NULL) OR state = 'deleted');
GRANT UPDATE (state, delete_after) ON organization TO tidemark_application;

-- A key works only as long as its environment and its organisation do.
CREATE OR REPLACE FUNCTION find_api_key(key_id text)
  RETURNS TABLE (id text, organization_id text, environment_id text, secret_hmac bytea, scopes text[], revoked boolean,
                 expires_at timestamptz, role text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    SELECT k.id, k.organization_id, k.environment_id, k.secret_hmac, k.scopes,
           k.revoked_at IS NOT NULL OR e.state <> 'active' OR o.state <> 'active' OR s.deleted_at IS NOT NULL,
           k.expires_at, s.role
    FROM public.api_key AS k
    JOIN public.environment AS e ON e.organization_id = k.organization_id AND e.id = k.environment_id
    JOIN public.organization AS o ON o.id = k.organization_id
    LEFT JOIN public.service_account AS s
      ON s.organization_id = k.organization_id AND s.id = k.service_account_id
    WHERE k.id = key_id;
  END;

-- Nobody belongs to an organisation that is gone.
CREATE OR REPLACE FUNCTION memberships_of_person(of_person text)
  RETURNS TABLE (organization_id text, grants text[])
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    SELECT m.organization_id, m.grants
    FROM public.membership AS m
    JOIN public.organization AS o ON o.id = m.organization_id
    WHERE m.person_id = of_person AND o.state <> 'deleted'
    ORDER BY m.organization_id;
  END;

CREATE FUNCTION organizations_to_finish_deleting(at timestamptz) RETURNS TABLE (organization_id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    SELECT o.id
    FROM public.organization AS o
    WHERE o.state = 'deleting' AND o.delete_after <= at;
  END;

GRANT CREATE ON SCHEMA public TO tidemark_cross_tenant;
ALTER FUNCTION organizations_to_finish_deleting(timestamptz) OWNER TO tidemark_cross_tenant;
REVOKE CREATE ON SCHEMA public FROM tidemark_cross_tenant;
REVOKE EXECUTE ON FUNCTION organizations_to_finish_deleting(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION organizations_to_finish_deleting(timestamptz) TO tidemark_application;
