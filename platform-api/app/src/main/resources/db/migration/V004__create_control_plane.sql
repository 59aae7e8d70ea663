-- Environments that can be renamed, archived and deleted, what they may use of the pipeline, what the pipeline is told
-- of them, the log of who changed what, and requests that must not be done twice.
-- A function body that stands here as text (plpgsql) is checked when it runs, one after BEGIN ATOMIC now.

ALTER TABLE organization
  ADD COLUMN version    bigint NOT NULL DEFAULT 1,
  ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now();

ALTER TABLE environment
  ADD COLUMN state                 text NOT NULL DEFAULT 'active'
    CHECK (state IN ('active', 'archived', 'deleting', 'deleted')),
  ADD COLUMN delete_after          timestamptz,
  ADD COLUMN version               bigint NOT NULL DEFAULT 1,
  ADD COLUMN updated_at            timestamptz NOT NULL DEFAULT now(),
  -- Budgets; null is the plan's.
  ADD COLUMN active_series         bigint CHECK (active_series > 0),
  ADD COLUMN new_series_per_minute bigint CHECK (new_series_per_minute > 0),
  ADD COLUMN labels_per_series     integer CHECK (labels_per_series > 0),
  ADD COLUMN label_keys_per_metric integer CHECK (label_keys_per_metric > 0),
  ADD COLUMN label_value_length    integer CHECK (label_value_length > 0),
  ADD COLUMN budgets_version       bigint NOT NULL DEFAULT 1,
  ADD COLUMN budgets_updated_at    timestamptz NOT NULL DEFAULT now(),
  ADD CHECK ((state = 'deleting') = (delete_after IS NOT NULL) OR state = 'deleted');

GRANT UPDATE (display_name, version, updated_at) ON organization TO tidemark_application;
GRANT UPDATE (display_name, state, delete_after, version, updated_at, active_series, new_series_per_minute,
              labels_per_series, label_keys_per_metric, label_value_length, budgets_version, budgets_updated_at)
  ON environment TO tidemark_application;
GRANT SELECT ON environment TO tidemark_cross_tenant;

-- A key works only as long as its environment does.
CREATE OR REPLACE FUNCTION find_api_key(key_id text)
  RETURNS TABLE (id text, organization_id text, environment_id text, secret_hmac bytea, scopes text[], revoked boolean)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    SELECT k.id, k.organization_id, k.environment_id, k.secret_hmac, k.scopes,
           k.revoked_at IS NOT NULL OR e.state <> 'active'
    FROM public.api_key AS k
    JOIN public.environment AS e ON e.organization_id = k.organization_id AND e.id = k.environment_id
    WHERE k.id = key_id;
  END;

-- What the compacted control topics say, or are about to: the record of each key as the last committed change made
-- it, and the version that Kafka has confirmed.
CREATE TABLE control_record (
  organization_id   text NOT NULL REFERENCES organization (id),
  topic             text NOT NULL,
  key               text NOT NULL,
  value             bytea NOT NULL,
  version           bigint NOT NULL DEFAULT 1,
  published_version bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (topic, key)
);
CREATE INDEX control_record_to_publish ON control_record (topic, key) WHERE published_version < version;
CALL keep_rows_to_their_organization('control_record');
GRANT SELECT, INSERT, UPDATE (value, version) ON control_record TO tidemark_application;
GRANT SELECT, UPDATE (published_version) ON control_record TO tidemark_cross_tenant;
CREATE POLICY publisher_marks ON control_record FOR UPDATE TO tidemark_cross_tenant USING (true);

-- Who did what. Rows are added and never touched again; hash covers the row and the hash before it.
CREATE TABLE audit_entry (
  organization_id text NOT NULL REFERENCES organization (id),
  sequence        bigint NOT NULL CHECK (sequence > 0),
  at              timestamptz NOT NULL,
  actor_kind      text NOT NULL,
  actor_id        text NOT NULL,
  address         text,
  action          text NOT NULL,
  object_type     text NOT NULL,
  object_id       text NOT NULL,
  outcome         text NOT NULL CHECK (outcome IN ('done', 'refused')),
  reason          text,
  before          text,
  after           text,
  previous_hash   bytea NOT NULL CHECK (octet_length(previous_hash) = 32),
  hash            bytea NOT NULL CHECK (octet_length(hash) = 32),
  PRIMARY KEY (organization_id, sequence)
);
CREATE INDEX audit_entry_of_object ON audit_entry (organization_id, object_id, sequence);
CALL keep_rows_to_their_organization('audit_entry');
GRANT SELECT, INSERT ON audit_entry TO tidemark_application;

-- The end of each chain. Locked by whoever appends, so that there is one next entry; a chain cut short is found by it.
CREATE TABLE audit_head (
  organization_id text PRIMARY KEY REFERENCES organization (id),
  sequence        bigint NOT NULL DEFAULT 0,
  hash            bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex') CHECK (octet_length(hash) = 32)
);
CALL keep_rows_to_their_organization('audit_head');
GRANT SELECT, INSERT, UPDATE (sequence, hash) ON audit_head TO tidemark_application;

CREATE FUNCTION refuse_to_change_history() RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Entries of the audit log are never changed or removed' USING ERRCODE = '42501';
END
$$;
CREATE TRIGGER entries_stay BEFORE UPDATE OR DELETE ON audit_entry
  FOR EACH ROW EXECUTE FUNCTION refuse_to_change_history();
CREATE TRIGGER all_entries_stay BEFORE TRUNCATE ON audit_entry
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change_history();

-- Which object a request with an Idempotency-Key made. Holds neither the request nor the answer.
CREATE TABLE idempotent_request (
  organization_id text NOT NULL REFERENCES organization (id),
  operation       text NOT NULL,
  idempotency_key text NOT NULL,
  fingerprint     bytea NOT NULL CHECK (octet_length(fingerprint) = 32),
  object_id       text,
  created_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, operation, idempotency_key)
);
CALL keep_rows_to_their_organization('idempotent_request');
GRANT SELECT, INSERT, DELETE, UPDATE (object_id) ON idempotent_request TO tidemark_application;

-- The agreed ways across organisations. Each is owned by tidemark_cross_tenant, which may do no more than they need.
GRANT CREATE ON SCHEMA public TO tidemark_cross_tenant;

CREATE FUNCTION control_records_to_publish(every boolean, after_topic text, after_key text, most integer)
  RETURNS TABLE (topic text, key text, value bytea, version bigint)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    SELECT r.topic, r.key, r.value, r.version
    FROM public.control_record AS r
    WHERE (every OR r.published_version < r.version) AND (r.topic, r.key) > (after_topic, after_key)
    ORDER BY r.topic, r.key
    LIMIT most;
  END;

CREATE FUNCTION control_record_is_published(of_topic text, of_key text, to_version bigint) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    UPDATE public.control_record SET published_version = to_version
    WHERE topic = of_topic AND key = of_key AND published_version < to_version;
  END;

CREATE FUNCTION environments_without_control_record() RETURNS TABLE (organization_id text, environment_id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    SELECT e.organization_id, e.id
    FROM public.environment AS e
    WHERE NOT EXISTS (
      SELECT FROM public.control_record AS r
      WHERE r.topic = 'control.tenants.v1' AND r.key = e.organization_id || '/' || e.id);
  END;

CREATE FUNCTION environments_to_finish_deleting(at timestamptz) RETURNS TABLE (organization_id text, environment_id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    SELECT e.organization_id, e.id
    FROM public.environment AS e
    WHERE e.state = 'deleting' AND e.delete_after <= at;
  END;

ALTER FUNCTION control_records_to_publish(boolean, text, text, integer) OWNER TO tidemark_cross_tenant;
ALTER FUNCTION control_record_is_published(text, text, bigint) OWNER TO tidemark_cross_tenant;
ALTER FUNCTION environments_without_control_record() OWNER TO tidemark_cross_tenant;
ALTER FUNCTION environments_to_finish_deleting(timestamptz) OWNER TO tidemark_cross_tenant;
REVOKE CREATE ON SCHEMA public FROM tidemark_cross_tenant;
REVOKE EXECUTE ON FUNCTION control_records_to_publish(boolean, text, text, integer),
  control_record_is_published(text, text, bigint), environments_without_control_record(),
  environments_to_finish_deleting(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION control_records_to_publish(boolean, text, text, integer),
  control_record_is_published(text, text, bigint), environments_without_control_record(),
  environments_to_finish_deleting(timestamptz) TO tidemark_application;
