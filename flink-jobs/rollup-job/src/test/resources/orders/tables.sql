-- What was received, point by point, and what the job wrote. Filled by the test, read by recomputation.sql.
drop table if exists receipts, points, emitted, letters cascade;

-- One row per record of the points topic. A resent batch has several.
create table receipts (position bigint primary key, organization text, batch_id text, received_ms bigint);

-- One row per point of a batch. form: value (gauge, delta sum, level), observations (histogram that counts from
-- point to point), total (running total since start_ns).
create table points (
  batch_id text, place int, organization text, metric text, metric_type text, unit text, resource text, zone text,
  form text, is_recorded boolean, start_ns bigint, time_ns bigint,
  value double precision, count bigint, sum double precision, min double precision, max double precision);

-- One row per JSON row of a rollup topic, as written.
create table emitted (level text, line jsonb);

-- One row per dead letter.
create table letters (reason text, points bigint);
