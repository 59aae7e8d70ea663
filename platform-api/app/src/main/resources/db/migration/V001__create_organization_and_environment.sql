-- Tenants and their parts. Identifiers are chosen by people and appear in keys, headers and columns,
-- so their form is checked here too.
CREATE TABLE organization (
  id           text PRIMARY KEY CHECK (id ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  display_name text NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE environment (
  organization_id text NOT NULL REFERENCES organization (id),
  id              text NOT NULL CHECK (id ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  display_name    text NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, id)
);
