-- Keys of machines. The secret itself is never stored: secret_hmac is HMAC-SHA256 with a pepper that is
-- not in this database, so a copy of the table opens nothing.
CREATE TABLE api_key (
  id              text PRIMARY KEY CHECK (id ~ '^[A-Z2-7]{16}$'),
  organization_id text NOT NULL,
  environment_id  text NOT NULL,
  secret_hmac     bytea NOT NULL CHECK (octet_length(secret_hmac) = 32),
  scopes          text[] NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT now(),
  revoked_at      timestamptz,
  FOREIGN KEY (organization_id, environment_id) REFERENCES environment (organization_id, id)
);

CREATE INDEX api_key_of_environment ON api_key (organization_id, environment_id);
