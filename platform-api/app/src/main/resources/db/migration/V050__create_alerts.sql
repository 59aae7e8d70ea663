-- Alert rules, what became of them, and incidents. Rules and rows of Kafka are the truth of states; incidents are ours.
CREATE TABLE alert_rule (
  organization_id text NOT NULL,
  environment_id  text NOT NULL,
  id              text NOT NULL,
  -- Name, severity, condition, labels, annotations, as the control API takes them.
  definition      jsonb NOT NULL,
  version         bigint NOT NULL,
  effective_from  timestamptz NOT NULL,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, environment_id) REFERENCES environment (organization_id, id)
);
CREATE INDEX alert_rule_of_environment ON alert_rule (organization_id, environment_id, id);
CALL keep_rows_to_their_organization('alert_rule');
GRANT SELECT, INSERT, DELETE, UPDATE (definition, version, effective_from, updated_at) ON alert_rule TO tidemark_application;

-- Transitions that were taken in, so that none is twice.
CREATE TABLE alert_transition (
  organization_id text NOT NULL,
  id              text NOT NULL,
  recorded_at     timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX alert_transition_age ON alert_transition (organization_id, recorded_at);
CALL keep_rows_to_their_organization('alert_transition');
GRANT SELECT, INSERT, DELETE ON alert_transition TO tidemark_application;

-- The newest state of each group of a rule.
CREATE TABLE alert_group (
  organization_id text NOT NULL,
  environment_id  text NOT NULL,
  rule_id         text NOT NULL,
  group_id        text NOT NULL,
  labels          jsonb NOT NULL,
  state           text NOT NULL CHECK (state IN ('normal', 'pending', 'firing', 'no_data', 'blind')),
  since           timestamptz NOT NULL,
  decided_minute  timestamptz NOT NULL,
  value           double precision,
  reason          text NOT NULL,
  sequence        bigint NOT NULL,
  PRIMARY KEY (organization_id, rule_id, group_id),
  FOREIGN KEY (organization_id, rule_id) REFERENCES alert_rule (organization_id, id) ON DELETE CASCADE
);
CALL keep_rows_to_their_organization('alert_group');
GRANT SELECT, INSERT, DELETE, UPDATE (labels, state, since, decided_minute, value, reason, sequence)
  ON alert_group TO tidemark_application;

-- Outlives its rule.
CREATE TABLE incident (
  organization_id text NOT NULL,
  environment_id  text NOT NULL,
  id              text NOT NULL,
  -- Order of lists, and place in them.
  number          bigint GENERATED ALWAYS AS IDENTITY,
  rule_id         text NOT NULL,
  rule_name       text NOT NULL,
  severity        text NOT NULL CHECK (severity IN ('critical', 'warning', 'info')),
  state           text NOT NULL CHECK (state IN ('open', 'resolved', 'retracted')),
  alert_state     text NOT NULL,
  group_labels    jsonb NOT NULL,
  labels          jsonb NOT NULL,
  annotations     jsonb NOT NULL,
  runbook_url     text,
  started_at      timestamptz NOT NULL,
  ended_at        timestamptz,
  opened_at       timestamptz NOT NULL,
  value           double precision,
  threshold       double precision,
  acknowledged_by text,
  acknowledged_at timestamptz,
  assigned_to     text,
  version         bigint NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, environment_id) REFERENCES environment (organization_id, id)
);
CREATE INDEX incident_of_environment ON incident (organization_id, environment_id, number DESC);
CREATE INDEX incident_open ON incident (organization_id, rule_id) WHERE state = 'open';
CALL keep_rows_to_their_organization('incident');
GRANT SELECT, INSERT, DELETE, UPDATE (state, alert_state, started_at, ended_at, value, threshold, severity, acknowledged_by,
  acknowledged_at, assigned_to, version) ON incident TO tidemark_application;

-- What happened to an incident, in its order.
CREATE TABLE incident_event (
  organization_id text NOT NULL,
  incident_id     text NOT NULL,
  number          bigint GENERATED ALWAYS AS IDENTITY,
  recorded_at     timestamptz NOT NULL,
  kind            text NOT NULL,
  detail          jsonb NOT NULL,
  PRIMARY KEY (organization_id, incident_id, number),
  FOREIGN KEY (organization_id, incident_id) REFERENCES incident (organization_id, id) ON DELETE CASCADE
);
CALL keep_rows_to_their_organization('incident_event');
GRANT SELECT, INSERT, DELETE ON incident_event TO tidemark_application;
