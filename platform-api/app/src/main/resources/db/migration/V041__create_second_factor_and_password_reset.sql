-- The provider's own, like identity.account. Secrets are sealed with a key from the configuration (AES-256-GCM); codes
-- and tokens are known by a keyed hash only, so a copy of these tables opens nothing.

-- One-time codes of an app (RFC 6238). Until it is confirmed by a first code, nobody is asked for it.
CREATE TABLE identity.second_factor (
  account_id   text PRIMARY KEY REFERENCES identity.account (id) ON DELETE CASCADE,
  sealed       bytea NOT NULL,
  created_at   timestamptz NOT NULL,
  confirmed_at timestamptz,
  -- The step of thirty seconds of the newest code that was taken: a code works once.
  last_step    bigint NOT NULL DEFAULT 0
);

CREATE TABLE identity.recovery_code (
  account_id text NOT NULL REFERENCES identity.second_factor (account_id) ON DELETE CASCADE,
  code_hash  bytea NOT NULL CHECK (octet_length(code_hash) = 32),
  used_at    timestamptz,
  PRIMARY KEY (account_id, code_hash)
);

CREATE TABLE identity.password_reset (
  token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
  account_id text NOT NULL REFERENCES identity.account (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX password_reset_by_account ON identity.password_reset (account_id);

GRANT SELECT, INSERT, UPDATE, DELETE ON identity.second_factor, identity.recovery_code, identity.password_reset
  TO tidemark_application;
