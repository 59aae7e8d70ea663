-- Where incidents are told, and every message and attempt. Secrets are sealed with a key that is not in the database.
CREATE TABLE integration (
  organization_id  text NOT NULL,
  environment_id   text NOT NULL,
  id               text NOT NULL,
  -- Name, kind, address, whom it concerns, as the control API takes them.
  definition       jsonb NOT NULL,
  secret           bytea,
  old_secret       bytea,
  old_secret_until timestamptz,
  routing_key      bytea,
  disabled_reason  text,
  -- Since when no delivery has succeeded, and until when only one of them tries.
  failing_since    timestamptz,
  failure_count    integer NOT NULL DEFAULT 0,
  paused_until     timestamptz,
  version          bigint NOT NULL,
  created_at       timestamptz NOT NULL,
  updated_at       timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, environment_id) REFERENCES environment (organization_id, id)
);
CREATE INDEX integration_of_environment ON integration (organization_id, environment_id, id);
CALL keep_rows_to_their_organization('integration');
GRANT SELECT, INSERT, DELETE, UPDATE (definition, secret, old_secret, old_secret_until, routing_key, disabled_reason,
  failing_since, failure_count, paused_until, version, updated_at) ON integration TO tidemark_application;

CREATE TABLE delivery (
  organization_id text NOT NULL,
  id              text NOT NULL,
  number          bigint GENERATED ALWAYS AS IDENTITY,
  integration_id  text NOT NULL,
  -- Messages of one incident, or without one of one delivery, are delivered in their order.
  order_key       text NOT NULL,
  message_id      text NOT NULL,
  type            text NOT NULL,
  incident_id     text,
  transition_id   text,
  body            text NOT NULL,
  state           text NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed')),
  created_at      timestamptz NOT NULL,
  next_attempt_at timestamptz NOT NULL,
  attempt_count   integer NOT NULL,
  claimed_until   timestamptz,
  ended_at        timestamptz,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, integration_id) REFERENCES integration (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX delivery_waiting ON delivery (next_attempt_at) WHERE state = 'waiting';
CREATE INDEX delivery_order ON delivery (organization_id, integration_id, order_key, number) WHERE state = 'waiting';
CREATE INDEX delivery_of_integration ON delivery (organization_id, integration_id, number DESC);
CALL keep_rows_to_their_organization('delivery');
GRANT SELECT, INSERT, DELETE, UPDATE (state, next_attempt_at, attempt_count, claimed_until, ended_at)
  ON delivery TO tidemark_application;

CREATE TABLE delivery_attempt (
  organization_id text NOT NULL,
  delivery_id     text NOT NULL,
  number          bigint GENERATED ALWAYS AS IDENTITY,
  attempted_at    timestamptz NOT NULL,
  duration_ms     bigint NOT NULL,
  status          integer,
  error           text,
  answer          text,
  PRIMARY KEY (organization_id, delivery_id, number),
  FOREIGN KEY (organization_id, delivery_id) REFERENCES delivery (organization_id, id) ON DELETE CASCADE
);
CALL keep_rows_to_their_organization('delivery_attempt');
GRANT SELECT, INSERT, DELETE ON delivery_attempt TO tidemark_application;

GRANT SELECT ON delivery, integration TO tidemark_cross_tenant;

-- Messages whose time has come, the first that waits of each order; of an integration that fails one at a time.
CREATE FUNCTION deliveries_due(at timestamptz, most integer) RETURNS TABLE (organization_id text, delivery_id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    SELECT d.organization_id, d.id
    FROM public.delivery AS d
    JOIN public.integration AS i ON i.organization_id = d.organization_id AND i.id = d.integration_id
    WHERE d.state = 'waiting' AND d.next_attempt_at <= at AND (d.claimed_until IS NULL OR d.claimed_until <= at)
      AND i.disabled_reason IS NULL AND (i.paused_until IS NULL OR i.paused_until <= at)
      AND NOT EXISTS (
        SELECT FROM public.delivery AS before
        WHERE before.organization_id = d.organization_id AND before.integration_id = d.integration_id
          AND before.order_key = d.order_key AND before.state = 'waiting' AND before.number < d.number)
    ORDER BY d.next_attempt_at
    LIMIT most;
  END;
GRANT CREATE ON SCHEMA public TO tidemark_cross_tenant;
ALTER FUNCTION deliveries_due(timestamptz, integer) OWNER TO tidemark_cross_tenant;
REVOKE CREATE ON SCHEMA public FROM tidemark_cross_tenant;
REVOKE EXECUTE ON FUNCTION deliveries_due(timestamptz, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION deliveries_due(timestamptz, integer) TO tidemark_application;
