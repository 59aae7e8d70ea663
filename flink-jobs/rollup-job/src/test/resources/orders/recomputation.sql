-- Which points count, out of everything that was received; for what the rollups must be, computed from all points at once. Shares nothing with the job but the written rules.
-- Then come buckets.sql and differences.sql.

-- A batch counts again only if it comes more than an hour after it last counted.
create table counted as
with recursive numbered as (
  select *, row_number() over (partition by organization, batch_id order by position) as n from receipts
), walk as (
  select organization, batch_id, n, received_ms, received_ms as since_ms, true as counts from numbered where n = 1
  union all
  select r.organization, r.batch_id, r.n, r.received_ms,
         case when r.received_ms - w.since_ms > 3600000 then r.received_ms else w.since_ms end,
         r.received_ms - w.since_ms > 3600000
  from walk w join numbered r on r.organization = w.organization and r.batch_id = w.batch_id and r.n = w.n + 1
)
select organization, batch_id, received_ms from walk where counts;

-- What is wrong with a point: its time, against the receipt, before its value. And which buckets it brings:
-- one bucket for everything says nothing, and exponential ones may be left out.
create table examined as
select *, case when layout_sent = 'exponential' and scale >= 3 then 'exact' when layout_sent = 'exponential' then scale::text
               when layout_sent = 'explicit' then bounds::text end as layout
from (
  select p.*, c.received_ms, row_number() over () as id,
         concat_ws('/', p.organization, metric, metric_type, unit, resource, zone, client) as series,
         case when div(p.time_ns, 1000000) < c.received_ms - 2678400000 then 'TOO_LATE'
              when div(p.time_ns, 1000000) > c.received_ms + 600000 then 'TIMESTAMP_OUT_OF_RANGE'
              when coalesce(p.value, p.sum) in ('NaN', 'Infinity', '-Infinity') then 'VALUE_NOT_FINITE'
              when counts is not null and count <> (select sum(n) from unnest(counts) n) then 'HISTOGRAM_INVALID'
              when scale is not null and (count = 0 or zero_count + cardinality(positive) + cardinality(negative) > 0)
                and count <> zero_count + (select coalesce(sum(n), 0) from unnest(positive || negative) n) then 'HISTOGRAM_INVALID'
         end as rejection,
         case when cardinality(bounds) > 0 then 'explicit'
              when scale is not null and (count = 0 or zero_count + cardinality(positive) + cardinality(negative) > 0)
                then 'exponential' end as layout_sent
  from points p join counted c on c.organization = p.organization and c.batch_id = p.batch_id
  where p.is_recorded
) sent;
create index on examined (id);

-- Running totals, in event order. The same reading twice is one reading.
create table readings as
select *, lag(id) over (partition by series order by time_ns) as earlier_id
from (select distinct on (series, time_ns) * from examined
      where rejection is null and form in ('total', 'all observations') order by series, time_ns, id) distinct_readings;
create index on readings (id);
