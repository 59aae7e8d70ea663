-- Data that are being removed, or were. Druid and the lake report at different times, so each has a column of its own.
CREATE TABLE removal (
  organization_id    text NOT NULL,
  id                 text NOT NULL,
  environment_id     text NOT NULL,
  kind               text NOT NULL CHECK (kind IN ('series', 'environment', 'retention')),
  -- Which rows, as shown to people and as told to the stores.
  subject            jsonb NOT NULL,
  rules              jsonb NOT NULL,
  created_at         timestamptz NOT NULL,
  -- A look before it is not the last one.
  settled_from       timestamptz NOT NULL,
  druid              jsonb NOT NULL,
  lake               jsonb NOT NULL,
  -- What the control plane itself removed.
  control_plane      jsonb NOT NULL,
  -- One instance at a time works on it.
  claimed_until      timestamptz,
  finished_at        timestamptz,
  certificate        text,
  certificate_sha256 text,
  CHECK ((finished_at IS NULL) = (certificate IS NULL)),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, environment_id) REFERENCES environment (organization_id, id)
);
CREATE INDEX removal_running ON removal (created_at) WHERE finished_at IS NULL;
CREATE INDEX removal_of_environment ON removal (organization_id, environment_id, id);
CALL keep_rows_to_their_organization('removal');
GRANT SELECT, INSERT, DELETE, UPDATE (druid, lake, claimed_until, finished_at, certificate, certificate_sha256)
  ON removal TO tidemark_application;
GRANT SELECT ON removal, retention, environment TO tidemark_cross_tenant;

CREATE FUNCTION removals_to_advance(at timestamptz) RETURNS TABLE (organization_id text, removal_id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    SELECT r.organization_id, r.id
    FROM public.removal AS r
    WHERE r.finished_at IS NULL AND (r.claimed_until IS NULL OR r.claimed_until <= at)
    ORDER BY r.created_at;
  END;

-- Environments with a policy whose last removal began before the given time.
CREATE FUNCTION environments_to_expire(last_before timestamptz) RETURNS TABLE (organization_id text, environment_id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    SELECT p.organization_id, p.environment_id
    FROM public.retention AS p
    JOIN public.environment AS e ON e.organization_id = p.organization_id AND e.id = p.environment_id
    WHERE e.state <> 'deleted' AND NOT EXISTS (
      SELECT FROM public.removal AS r
      WHERE r.organization_id = p.organization_id AND r.environment_id = p.environment_id AND r.kind = 'retention'
        AND (r.finished_at IS NULL OR r.created_at > last_before));
  END;

-- Environments that are deleted and whose data were never removed, or once, before the given time.
CREATE FUNCTION environments_to_clear(once_before timestamptz) RETURNS TABLE (organization_id text, environment_id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    SELECT e.organization_id, e.id
    FROM public.environment AS e
    LEFT JOIN public.removal AS r
      ON r.organization_id = e.organization_id AND r.environment_id = e.id AND r.kind = 'environment'
    WHERE e.state = 'deleted'
    GROUP BY e.organization_id, e.id
    HAVING count(r.id) = 0
      OR (count(r.id) = 1 AND count(r.finished_at) = 1 AND max(r.created_at) <= once_before);
  END;

GRANT CREATE ON SCHEMA public TO tidemark_cross_tenant;
ALTER FUNCTION removals_to_advance(timestamptz) OWNER TO tidemark_cross_tenant;
ALTER FUNCTION environments_to_expire(timestamptz) OWNER TO tidemark_cross_tenant;
ALTER FUNCTION environments_to_clear(timestamptz) OWNER TO tidemark_cross_tenant;
REVOKE CREATE ON SCHEMA public FROM tidemark_cross_tenant;
REVOKE EXECUTE ON FUNCTION removals_to_advance(timestamptz), environments_to_expire(timestamptz),
  environments_to_clear(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION removals_to_advance(timestamptz), environments_to_expire(timestamptz),
  environments_to_clear(timestamptz) TO tidemark_application;
