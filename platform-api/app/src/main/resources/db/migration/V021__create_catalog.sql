-- Metrics and resources of environments. Names are those that senders chose; lists are in the order of their bytes.
CREATE TABLE metric_declaration (
  organization_id         text NOT NULL,
  environment_id          text NOT NULL,
  name                    text COLLATE "C" NOT NULL CHECK (length(name) BETWEEN 1 AND 255),
  unit                    text NOT NULL,
  type                    text,
  description             text NOT NULL,
  high_cardinality_labels text[] NOT NULL,
  lifecycle               text NOT NULL CHECK (lifecycle IN ('active', 'deprecated', 'retired')),
  version                 bigint NOT NULL,
  updated_at              timestamptz NOT NULL,
  PRIMARY KEY (organization_id, environment_id, name),
  FOREIGN KEY (organization_id, environment_id) REFERENCES environment (organization_id, id)
);
CALL keep_rows_to_their_organization('metric_declaration');
GRANT SELECT, INSERT, DELETE,
  UPDATE (unit, type, description, high_cardinality_labels, lifecycle, version, updated_at)
  ON metric_declaration TO tidemark_application;

-- What committed rows showed of a metric.
CREATE TABLE metric_sighting (
  organization_id text NOT NULL,
  environment_id  text NOT NULL,
  name            text COLLATE "C" NOT NULL CHECK (length(name) BETWEEN 1 AND 255),
  type            text NOT NULL,
  unit            text NOT NULL,
  labels          text[] NOT NULL,
  labels_complete boolean NOT NULL,
  first_seen      timestamptz NOT NULL,
  last_seen       timestamptz NOT NULL,
  PRIMARY KEY (organization_id, environment_id, name),
  FOREIGN KEY (organization_id, environment_id) REFERENCES environment (organization_id, id)
);
CALL keep_rows_to_their_organization('metric_sighting');
GRANT SELECT, INSERT, DELETE, UPDATE (type, unit, labels, labels_complete, first_seen, last_seen)
  ON metric_sighting TO tidemark_application;

CREATE TABLE resource (
  organization_id text NOT NULL,
  environment_id  text NOT NULL,
  type            text COLLATE "C" NOT NULL CHECK (length(type) BETWEEN 1 AND 255),
  name            text COLLATE "C" NOT NULL CHECK (length(name) BETWEEN 1 AND 255),
  display_name    text NOT NULL,
  confirmed       boolean NOT NULL,
  version         bigint NOT NULL,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  -- Null when it never sent.
  first_seen      timestamptz,
  last_seen       timestamptz,
  PRIMARY KEY (organization_id, environment_id, type, name),
  FOREIGN KEY (organization_id, environment_id) REFERENCES environment (organization_id, id)
);
CALL keep_rows_to_their_organization('resource');
GRANT SELECT, INSERT, DELETE, UPDATE (display_name, confirmed, version, updated_at, first_seen, last_seen)
  ON resource TO tidemark_application;

-- Null is a tombstone: the topic is told that nothing is said of the key any more.
ALTER TABLE control_record ALTER COLUMN value DROP NOT NULL;
