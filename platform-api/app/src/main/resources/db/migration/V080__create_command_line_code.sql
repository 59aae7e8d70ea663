-- Codes that a signed-in browser hands to tidemarkctl on the same machine: known by their hash only, good for one minute, once,
-- and only with what the program alone knows (PKCE).
CREATE TABLE identity.command_line_code (
  code_hash  bytea PRIMARY KEY CHECK (octet_length(code_hash) = 32),
  person_id  text NOT NULL REFERENCES identity.person (id) ON DELETE CASCADE,
  challenge  text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX command_line_code_by_person ON identity.command_line_code (person_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON identity.command_line_code TO tidemark_application;
