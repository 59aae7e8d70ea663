-- For how long environments keep their data. No row: nothing was ever said.
CREATE TABLE retention (
  organization_id text NOT NULL,
  environment_id  text NOT NULL,
  policy          jsonb NOT NULL,
  version         bigint NOT NULL,
  updated_at      timestamptz NOT NULL,
  -- The policy that says which points of batches received before in_force_from are too late.
  policy_before   jsonb NOT NULL,
  in_force_from   timestamptz NOT NULL,
  PRIMARY KEY (organization_id, environment_id),
  FOREIGN KEY (organization_id, environment_id) REFERENCES environment (organization_id, id)
);
CALL keep_rows_to_their_organization('retention');
GRANT SELECT, INSERT, DELETE, UPDATE (policy, version, updated_at, policy_before, in_force_from)
  ON retention TO tidemark_application;
