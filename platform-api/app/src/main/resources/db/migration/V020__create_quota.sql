-- What organisations and their environments may send. No row: nothing was ever set, so the plan's hold.
CREATE TABLE quota (
  organization_id     text NOT NULL REFERENCES organization (id),
  -- Empty for the quotas of the whole organisation.
  environment_id      text NOT NULL,
  requests_per_second bigint CHECK (requests_per_second > 0),
  bytes_per_second    bigint CHECK (bytes_per_second > 0),
  points_per_second   bigint CHECK (points_per_second > 0),
  version             bigint NOT NULL,
  updated_at          timestamptz NOT NULL,
  PRIMARY KEY (organization_id, environment_id)
);
CALL keep_rows_to_their_organization('quota');
GRANT SELECT, INSERT, UPDATE (requests_per_second, bytes_per_second, points_per_second, version, updated_at)
  ON quota TO tidemark_application;
