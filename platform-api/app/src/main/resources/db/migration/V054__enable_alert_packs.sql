-- Packs of alert rules that an environment has, and the rules that came of them.
CREATE TABLE alert_pack (
  organization_id text NOT NULL,
  environment_id  text NOT NULL,
  name            text NOT NULL,
  version         bigint NOT NULL,
  enabled_at      timestamptz NOT NULL,
  enabled_by      text NOT NULL,
  PRIMARY KEY (organization_id, environment_id, name),
  FOREIGN KEY (organization_id, environment_id) REFERENCES environment (organization_id, id)
);
CALL keep_rows_to_their_organization('alert_pack');
GRANT SELECT, INSERT, DELETE, UPDATE (version, enabled_at, enabled_by) ON alert_pack TO tidemark_application;

-- The fingerprint is of the definition that the pack wrote: a rule with another one was changed by somebody and stays as it is.
ALTER TABLE alert_rule ADD COLUMN pack text, ADD COLUMN pack_key text, ADD COLUMN pack_fingerprint text;
CREATE UNIQUE INDEX alert_rule_of_pack ON alert_rule (organization_id, environment_id, pack, pack_key) WHERE pack IS NOT NULL;
GRANT UPDATE (pack, pack_key, pack_fingerprint) ON alert_rule TO tidemark_application;
