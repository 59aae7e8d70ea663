-- Who belongs to an organisation, and what as: a role ('developer') or a role in one environment ('developer@env-a').
CREATE TABLE membership (
  organization_id text NOT NULL REFERENCES organization (id),
  person_id       text NOT NULL REFERENCES identity.person (id),
  grants          text[] NOT NULL CHECK (cardinality(grants) BETWEEN 1 AND 50),
  version         bigint NOT NULL DEFAULT 1,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, person_id)
);
CREATE INDEX membership_of_person ON membership (person_id);
CALL keep_rows_to_their_organization('membership');
GRANT SELECT, INSERT, DELETE, UPDATE (grants, version, updated_at) ON membership TO tidemark_application;
GRANT SELECT ON membership TO tidemark_cross_tenant;

-- The token of the link is kept as its hash; sending again makes a new one.
CREATE TABLE invitation (
  organization_id text NOT NULL REFERENCES organization (id),
  id              text NOT NULL CHECK (id ~ '^inv-[a-z2-7]{16}$'),
  mail            text NOT NULL CHECK (mail = lower(mail)),
  grants          text[] NOT NULL CHECK (cardinality(grants) BETWEEN 1 AND 50),
  token_hash      bytea NOT NULL CHECK (octet_length(token_hash) = 32),
  invited_by      text NOT NULL,
  created_at      timestamptz NOT NULL,
  expires_at      timestamptz NOT NULL,
  accepted_at     timestamptz,
  accepted_by     text REFERENCES identity.person (id),
  revoked_at      timestamptz,
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX invitation_by_token ON invitation (token_hash);
CALL keep_rows_to_their_organization('invitation');
GRANT SELECT, INSERT, UPDATE (token_hash, expires_at, accepted_at, accepted_by, revoked_at)
  ON invitation TO tidemark_application;
GRANT SELECT ON invitation TO tidemark_cross_tenant;
GRANT SELECT ON organization TO tidemark_cross_tenant;

-- Asked before any organisation is known: what a signed-in person belongs to, and what a link is for.
CREATE FUNCTION memberships_of_person(of_person text)
  RETURNS TABLE (organization_id text, grants text[])
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    SELECT m.organization_id, m.grants
    FROM public.membership AS m
    WHERE m.person_id = of_person
    ORDER BY m.organization_id;
  END;

CREATE FUNCTION find_invitation(of_token_hash bytea)
  RETURNS TABLE (organization_id text, id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    SELECT i.organization_id, i.id
    FROM public.invitation AS i
    WHERE i.token_hash = of_token_hash;
  END;

GRANT CREATE ON SCHEMA public TO tidemark_cross_tenant;
ALTER FUNCTION memberships_of_person(text) OWNER TO tidemark_cross_tenant;
ALTER FUNCTION find_invitation(bytea) OWNER TO tidemark_cross_tenant;
REVOKE CREATE ON SCHEMA public FROM tidemark_cross_tenant;
REVOKE EXECUTE ON FUNCTION memberships_of_person(text), find_invitation(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION memberships_of_person(text), find_invitation(bytea) TO tidemark_application;
