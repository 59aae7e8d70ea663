-- What the rollups must be, computed from all points at once. Shares nothing with the job but the written rules.
drop table if exists counted, examined, contributions, expected, actual cascade;

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

-- What is wrong with a point: its time, against the receipt, before its value.
create table examined as
select p.*,
       case when div(p.time_ns, 1000000) < c.received_ms - 2678400000 then 'TOO_LATE'
            when div(p.time_ns, 1000000) > c.received_ms + 600000 then 'TIMESTAMP_OUT_OF_RANGE'
            when coalesce(p.value, p.sum) in ('NaN', 'Infinity', '-Infinity') then 'VALUE_NOT_FINITE'
       end as rejection
from points p join counted c on c.organization = p.organization and c.batch_id = p.batch_id
where p.is_recorded;

create table contributions as
select organization, metric, metric_type, unit, resource, zone, time_ns,
       value as sum, 1::bigint as count, value as min, value as max, value as last, abs(value) as magnitude
from examined where rejection is null and form = 'value'
union all
select organization, metric, metric_type, unit, resource, zone, time_ns,
       sum, count, min, max, null, abs(sum)
from examined where rejection is null and form = 'observations'
union all
-- Running totals, in event order. The same reading twice is one reading. A difference has no extremes.
select organization, metric, metric_type, unit, resource, zone, time_ns,
       delta, 1, null, null, null, abs(value)
from (
  select *,
    case
      -- The first of a series counts whole if its life is young; else nobody knows what was counted before.
      when earlier is null then case when start_ns <> 0 and time_ns - start_ns <= 600000000000 then value end
      -- A later start or a smaller total: the sender began anew.
      when (start_ns <> 0 and earlier_start <> 0 and start_ns > earlier_start) or value < earlier then value
      else value - earlier
    end as delta
  from (
    select *, lag(value) over series as earlier, lag(start_ns) over series as earlier_start
    from (select distinct organization, metric, metric_type, unit, resource, zone, time_ns, start_ns, value
          from examined where rejection is null and form = 'total') readings
    window series as (partition by organization, metric, metric_type, unit, resource, zone order by time_ns)
  ) in_order
) deltas
where delta is not null;

create table expected as
select level, (div(div(time_ns, 1000000), length) * length)::bigint as window_ms,
       organization, metric, metric_type, unit, resource, zone,
       sum(sum) as sum, sum(count)::bigint as count, min(min) as min, max(max) as max,
       (array_agg(last order by time_ns desc) filter (where last is not null))[1] as last,
       sum(magnitude) as magnitude
from contributions
cross join (values ('1m', 60000::bigint), ('1h', 3600000), ('1d', 86400000)) as levels (level, length)
group by level, window_ms, organization, metric, metric_type, unit, resource, zone;

-- Rows of equal series and window added up, the way Druid and the lake do.
create table actual as
select level, (line->>'timestamp')::bigint as window_ms,
       line->>'organization_id' as organization, line->>'metric' as metric, line->>'metric_type' as metric_type,
       line->>'unit' as unit, line->>'resource_id' as resource, line->>'metric.zone' as zone,
       sum((line->>'sum')::double precision) as sum, sum((line->>'count')::bigint)::bigint as count,
       min((line->>'min')::double precision) as min, max((line->>'max')::double precision) as max,
       (array_agg((line->>'last')::double precision order by (line->>'last_timestamp')::bigint desc)
          filter (where line ? 'last'))[1] as last,
       count(*) as rows
from emitted
group by level, window_ms, 3, 4, 5, 6, 7, 8;

create or replace view differences as
select coalesce(e.level, a.level) as level, to_timestamp(coalesce(e.window_ms, a.window_ms) / 1000.0) at time zone 'UTC' as "window",
       coalesce(e.organization, a.organization) as organization, coalesce(e.metric, a.metric) as metric,
       coalesce(e.resource, a.resource) as resource, coalesce(e.zone, a.zone) as zone,
       format('%s/%s/%s/%s/%s', e.sum, e.count, e.min, e.max, e.last) as expected,
       format('%s/%s/%s/%s/%s', a.sum, a.count, a.min, a.max, a.last) as actual
from expected e
full join actual a
  on e.level = a.level and e.window_ms = a.window_ms and e.organization = a.organization and e.metric = a.metric
  and e.metric_type = a.metric_type and e.unit = a.unit and e.resource = a.resource and e.zone = a.zone
where e.count is distinct from a.count or e.min is distinct from a.min or e.max is distinct from a.max
   or e.last is distinct from a.last or (e.sum is null) <> (a.sum is null) or abs(e.sum - a.sum) > 1e-9 * e.magnitude
order by 1, 2;
