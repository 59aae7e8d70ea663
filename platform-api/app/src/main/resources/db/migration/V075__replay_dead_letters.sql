-- Replays of dead letters: counted first, then executed. Whether a letter was replayed is in Kafka alone.
CREATE TABLE dead_letter_replay (
  organization_id text NOT NULL,
  id              text NOT NULL,
  environment_id  text NOT NULL,
  state           text NOT NULL CHECK (state IN ('counting', 'counted', 'replaying', 'completed', 'failed')),
  reasons         text[] NOT NULL,
  received_from   timestamptz NOT NULL,
  received_to     timestamptz NOT NULL,
  created_at      timestamptz NOT NULL,
  executed_at     timestamptz,
  finished_at     timestamptz,
  -- Offsets of the topic of dead letters that were counted; a replay reads the same.
  ranges          jsonb NOT NULL DEFAULT '[]',
  counts          jsonb NOT NULL DEFAULT '[]',
  records_read    bigint NOT NULL DEFAULT 0,
  records_to_read bigint NOT NULL DEFAULT 0,
  failure         text,
  -- Attempts that failed since the last state.
  attempts        int NOT NULL DEFAULT 0,
  due_at          timestamptz NOT NULL,
  -- One instance at a time works on it.
  claimed_until   timestamptz,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, environment_id) REFERENCES environment (organization_id, id)
);
CREATE INDEX dead_letter_replay_running ON dead_letter_replay (due_at) WHERE state IN ('counting', 'replaying');
CREATE UNIQUE INDEX dead_letter_replay_one_of_environment ON dead_letter_replay (organization_id, environment_id)
  WHERE state IN ('counting', 'replaying');
CALL keep_rows_to_their_organization('dead_letter_replay');
GRANT SELECT, INSERT, DELETE, UPDATE (state, executed_at, finished_at, ranges, counts, records_read, records_to_read, failure,
  attempts, due_at, claimed_until) ON dead_letter_replay TO tidemark_application;
GRANT SELECT ON dead_letter_replay TO tidemark_cross_tenant;

-- Replays that are due and that nobody works on. All replays write by one transactional id, so of those that are executed none is due
-- while another is worked on.
CREATE FUNCTION dead_letter_replays_due(at timestamptz) RETURNS TABLE (organization_id text, replay_id text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  BEGIN ATOMIC
    SELECT r.organization_id, r.id
    FROM public.dead_letter_replay AS r
    WHERE r.state IN ('counting', 'replaying') AND r.due_at <= at AND (r.claimed_until IS NULL OR r.claimed_until <= at)
      AND (r.state = 'counting' OR NOT EXISTS (
        SELECT FROM public.dead_letter_replay AS o WHERE o.state = 'replaying' AND o.claimed_until > at))
    ORDER BY r.due_at, r.organization_id, r.id
    LIMIT 20;
  END;

GRANT CREATE ON SCHEMA public TO tidemark_cross_tenant;
ALTER FUNCTION dead_letter_replays_due(timestamptz) OWNER TO tidemark_cross_tenant;
REVOKE CREATE ON SCHEMA public FROM tidemark_cross_tenant;
REVOKE EXECUTE ON FUNCTION dead_letter_replays_due(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION dead_letter_replays_due(timestamptz) TO tidemark_application;
