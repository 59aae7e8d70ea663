-- What was received, point by point, and what the job wrote. Filled by the test, read by recomputation.sql.
drop schema if exists orders cascade;
create schema orders;
set search_path = orders;

-- One row per record of the points topic. A resent batch has several.
create table receipts (position bigint primary key, organization text, batch_id text, received_ms bigint);

-- One row per point of a batch. form: value (gauge, delta sum, level), observations (histogram that counts from
-- point to point), total and all observations (running since start_ns). client is empty where there is no such label.
create table points (
  batch_id text, place int, organization text, metric text, metric_type text, unit text, resource text, zone text, client text,
  form text, is_recorded boolean, start_ns bigint, time_ns bigint,
  value double precision, count bigint, sum double precision, min double precision, max double precision,
  bounds double precision[], counts bigint[],
  scale int, zero_count bigint, positive_offset int, positive bigint[], negative_offset int, negative bigint[]);

-- One row per JSON row of a rollup topic, as written. Level 1m-hc: minutes of split metrics at full detail.
create table emitted (level text, line jsonb);

-- One row per dead letter.
create table letters (reason text, points bigint);

-- In which minutes a metric is split, and which labels its ordinary rows lack; as published.
create table routes (organization text, metric text, labels text[], from_ms bigint, to_ms bigint);

-- What the job told of what is billed: kind of unit, and hour of receipt or of the clock.
create table metered (kind text, organization text, resource text, metric text, hour_ms bigint, units bigint);

-- Ids of series that the job showed to who counts them.
create table shown (series_id text);

-- Who has more series than allowed.
create table budgeted (organization text);
