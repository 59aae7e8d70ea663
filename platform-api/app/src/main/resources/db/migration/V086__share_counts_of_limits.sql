-- What processes of platform-api tell each other of limits: a row for each process, written once a second. Counts say how much
-- organisations used within the last minute and nothing of their data; no request reads them. Lost in a crash of PostgreSQL, they
-- begin again.
CREATE SCHEMA processes;
CREATE UNLOGGED TABLE processes.process_count (
  process_id text PRIMARY KEY,
  roles      text[] NOT NULL,
  -- Name of a limit, a blank, and whose it is; and at the same place how much was used.
  counters   text[] NOT NULL,
  totals     bigint[] NOT NULL,
  told_at    timestamptz NOT NULL
) WITH (fillfactor = 20);
GRANT USAGE ON SCHEMA processes TO tidemark_application;
GRANT SELECT, INSERT, UPDATE, DELETE ON processes.process_count TO tidemark_application;
