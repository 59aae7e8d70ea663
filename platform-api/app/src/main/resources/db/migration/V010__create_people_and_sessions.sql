-- What belongs to no organisation lies in a schema of its own: people, their browser sessions, and what the OpenID
-- provider that comes with Tidemark keeps. Row-level security has nothing to divide here; the schema public stays
-- the one whose every table belongs to organisations.
CREATE SCHEMA identity;
GRANT USAGE ON SCHEMA identity TO tidemark_application;

-- A human, known by who vouches for them and under which name. Mail and name are what the provider said last.
CREATE TABLE identity.person (
  id                text PRIMARY KEY CHECK (id ~ '^per-[a-z2-7]{16}$'),
  issuer            text NOT NULL,
  subject           text NOT NULL,
  mail              text,
  mail_verified     boolean NOT NULL,
  display_name      text NOT NULL,
  created_at        timestamptz NOT NULL,
  last_signed_in_at timestamptz NOT NULL,
  UNIQUE (issuer, subject)
);

-- Laid out as Spring Session wants it. A cookie is the session's id and a code made with a key that is not in this
-- database, so a copy of the table opens nothing.
CREATE TABLE identity.session (
  primary_id            char(36) PRIMARY KEY,
  session_id            char(36) NOT NULL UNIQUE,
  creation_time         bigint NOT NULL,
  last_access_time      bigint NOT NULL,
  max_inactive_interval integer NOT NULL,
  expiry_time           bigint NOT NULL,
  principal_name        varchar(100)
);
CREATE INDEX session_by_expiry ON identity.session (expiry_time);
CREATE INDEX session_by_principal ON identity.session (principal_name);

CREATE TABLE identity.session_attributes (
  session_primary_id char(36) NOT NULL REFERENCES identity.session (primary_id) ON DELETE CASCADE,
  attribute_name     varchar(200) NOT NULL,
  attribute_bytes    bytea NOT NULL,
  PRIMARY KEY (session_primary_id, attribute_name)
);

-- From here on: the provider's own. Passwords are hashed (bcrypt).
CREATE TABLE identity.account (
  id                   text PRIMARY KEY CHECK (id ~ '^acc-[a-z2-7]{16}$'),
  mail                 text NOT NULL CHECK (mail = lower(mail)),
  display_name         text NOT NULL,
  password_hash        text NOT NULL,
  must_change_password boolean NOT NULL,
  created_at           timestamptz NOT NULL,
  password_changed_at  timestamptz NOT NULL
);
CREATE UNIQUE INDEX account_by_mail ON identity.account (mail);

-- Keys that sign what the provider says of people; sealed with a key from the configuration (AES-256-GCM).
CREATE TABLE identity.signing_key (
  id         text PRIMARY KEY,
  created_at timestamptz NOT NULL,
  sealed     bytea NOT NULL
);

-- Codes on their way from the provider to the callback, and what they stand for, sealed like keys. The code itself is
-- known by its hash only.
CREATE TABLE identity.authorization_code (
  code_hash        bytea PRIMARY KEY CHECK (octet_length(code_hash) = 32),
  authorization_id text NOT NULL,
  sealed           bytea NOT NULL,
  expires_at       timestamptz NOT NULL
);
CREATE INDEX authorization_code_by_id ON identity.authorization_code (authorization_id);

-- Wrong passwords of late, by account and by network address (both hashed), and until when no more are looked at.
CREATE TABLE identity.failed_sign_in (
  place         bytea PRIMARY KEY CHECK (octet_length(place) = 32),
  failures      integer NOT NULL,
  since         timestamptz NOT NULL,
  blocked_until timestamptz
);

GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA identity TO tidemark_application;
