-- Records of the points topic, one row each: what receipts are made from. Without foreign keys, because rows come at the rate
-- of batches and go after a day.
CREATE TABLE batch_copy (
  organization_id  text NOT NULL,
  batch_id         bytea NOT NULL CHECK (length(batch_id) = 32),
  source_partition integer NOT NULL,
  source_offset    bigint NOT NULL,
  environment_id   text NOT NULL,
  idempotency_key  text,
  received_at      timestamptz NOT NULL,
  points           bigint NOT NULL,
  -- As in LABEL_INVALID=2,VALUE_NOT_FINITE=1.
  rejected         text NOT NULL,
  PRIMARY KEY (organization_id, batch_id, source_partition, source_offset)
);
CREATE INDEX batch_copy_by_key ON batch_copy (organization_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX batch_copy_by_time ON batch_copy (organization_id, received_at);
CALL keep_rows_to_their_organization('batch_copy');
GRANT SELECT, INSERT, DELETE ON batch_copy TO tidemark_application;

-- Dead letters, added up by record and reason.
CREATE TABLE batch_set_aside (
  organization_id  text NOT NULL,
  batch_id         bytea NOT NULL CHECK (length(batch_id) = 32),
  -- Whether the record is one of the points topic.
  is_of_points     boolean NOT NULL,
  source_partition integer NOT NULL,
  source_offset    bigint NOT NULL,
  reason           text NOT NULL,
  letter_partition integer NOT NULL,
  environment_id   text NOT NULL,
  received_at      timestamptz NOT NULL,
  points           bigint NOT NULL,
  -- Offset of the last letter that was added, so that none is added twice.
  last_letter      bigint NOT NULL,
  PRIMARY KEY (organization_id, batch_id, is_of_points, source_partition, source_offset, reason, letter_partition)
);
CREATE INDEX batch_set_aside_by_time ON batch_set_aside (organization_id, received_at);
CALL keep_rows_to_their_organization('batch_set_aside');
GRANT SELECT, INSERT, DELETE, UPDATE (points, last_letter) ON batch_set_aside TO tidemark_application;
