-- What points add, by series and window; what rows say; and where the two differ.

-- What every reading is against the one before it. A difference has no extremes.
create table deltas as
select r.*, e.sum as earlier_sum, e.value as earlier_value, e.count as earlier_count,
  -- Bounds or scales that changed: where the observations fell is unknown.
  r.layout is not null and r.layout = e.layout as is_comparable,
  case
    -- The first of a series counts whole if its life is young; else nobody knows what was counted before.
    when e.id is null then case when r.start_ns <> 0 and r.time_ns - r.start_ns <= 600000000000 then 'whole' else 'baseline' end
    -- A later start or a smaller total: the sender began anew.
    when r.start_ns <> 0 and e.start_ns <> 0 and r.start_ns > e.start_ns then 'whole'
    when r.form = 'total' and r.value < e.value then 'whole'
    when r.form = 'all observations' and r.count < e.count then 'whole'
    when r.layout = e.layout and exists (
      select 1 from sent_buckets b where b.id = e.id
        and b.n > coalesce((select n from sent_buckets c where c.id = r.id and c.bucket = b.bucket), 0)) then 'whole'
    else 'growth'
  end as kind
from readings r left join readings e on e.id = r.earlier_id;

create table contributions as
select id, organization, metric, series, time_ns,
       value as sum, 1::bigint as count, value as min, value as max, value as last, abs(value) as magnitude
from examined where rejection is null and form = 'value'
union all
select id, organization, metric, series, time_ns, sum, count, min, max, null, abs(sum)
from examined where rejection is null and form = 'observations'
union all
select id, organization, metric, series, time_ns,
       case when form = 'total' then value - case kind when 'growth' then earlier_value else 0 end
            else sum - case kind when 'growth' then earlier_sum else 0 end end,
       case when form = 'total' then 1 else count - case kind when 'growth' then earlier_count else 0 end end,
       null, null, null, abs(coalesce(value, sum))
from deltas where kind <> 'baseline';

create table added_buckets as
select b.id, b.bucket, b.n from sent_buckets b join examined e on e.id = b.id where e.form = 'observations'
union all
select b.id, b.bucket, b.n from sent_buckets b join deltas d on d.id = b.id where d.kind = 'whole'
union all
select b.id, b.bucket, b.n from sent_buckets b join deltas d on d.id = b.id where d.kind = 'growth' and d.is_comparable
union all
select d.id, b.bucket, -b.n from sent_buckets b join deltas d on d.earlier_id = b.id where d.kind = 'growth' and d.is_comparable;
create index on added_buckets (id);

create table read_rows as
select row_number() over () as id, level, (line->>'timestamp')::bigint as window_ms,
       line->>'organization_id' as organization, line->>'metric' as metric,
       concat_ws('/', line->>'organization_id', line->>'metric', line->>'metric_type', line->>'unit', line->>'resource_id',
                 coalesce(line->>'metric.zone', ''), coalesce(line->>'metric.client', '')) as series,
       coalesce(line->>'metric.tidemark.overflow', '') as overflow,
       (line->>'sum')::double precision as sum, (line->>'count')::bigint as count,
       (line->>'min')::double precision as min, (line->>'max')::double precision as max,
       (line->>'last')::double precision as last, (line->>'last_timestamp')::bigint as last_ms,
       line->>'distribution' as distribution
from emitted;

-- Form 3|1025:12|1040:7,9,3: the scale, then runs of neighbouring buckets with the number of the first.
create table read_buckets as
select id, split_part(run, ':', 1)::int + place::int - 1 as bucket, n::bigint
from (select id, run from read_rows, unnest((string_to_array(distribution, '|'))[2:]) run) runs,
     unnest(string_to_array(split_part(run, ':', 2), ',')) with ordinality u(n, place);

-- Of a tenant over its budget: the series of which every point came under their own name, and rows of the others.
create table unfolded as
select series
from (select series, sum(count) as count from contributions
      where organization in (select organization from budgeted) and metric not in (select metric from routes) group by series) sent
join (select series, sum(count) as count from read_rows where level = '1m' and overflow = '' group by series) wrote using (series, count);

create table folded as select * from read_rows where overflow <> '';

create table split_on_the_way as
select organization, metric from routes r
where exists (select from contributions c where c.organization = r.organization and c.metric = r.metric
                and div(c.time_ns, 1000000) < r.from_ms)
  and exists (select from contributions c where c.organization = r.organization and c.metric = r.metric
                and div(c.time_ns, 1000000) >= r.from_ms and div(c.time_ns, 1000000) < r.to_ms);

-- What is compared of a series: of a tenant over its budget the sum over all of its series and overflow series of a
-- metric and resource, and apart from that ("own") the series that were not folded.
create table looks as
select name, level, length, name like 'own%' as is_own from (values
  ('1m', '1m', 60000::bigint), ('1h', '1h', 3600000), ('1d', '1d', 86400000), ('1m-hc', '1m-hc', 60000),
  ('own 1m', '1m', 60000), ('own 1h', '1h', 3600000), ('own 1d', '1d', 86400000)) as levels (name, level, length);

create table parts as
select 'sent' as side, name, div(div(time_ns, 1000000), length) * length as window_ms,
       case when is_own or not is_over then
              case when is_split and level <> '1m-hc' then regexp_replace(series, '[^/]*$', '') else series end || '/'
            else regexp_replace(series, '(/[^/]*){2}$', '') end as cell,
       id, sum, count, min, max, magnitude,
       -- Of many series there is no last value.
       case when (is_split and level <> '1m-hc') or (is_over and not is_own) then null else last end as last, time_ns as last_at
from (
  select c.*, b.organization is not null as is_over, r.organization is not null as is_split
  from contributions c left join budgeted b using (organization)
  left join routes r on r.organization = c.organization and r.metric = c.metric and 'client' = any(r.labels)
    and div(c.time_ns, 60000000000) * 60000 >= r.from_ms and div(c.time_ns, 60000000000) * 60000 < r.to_ms
) counted_for cross join looks
where (level <> '1m-hc' or is_split) and (not is_own or series in (select series from unfolded))
union all
select 'written', name, window_ms,
       case when is_own or b.organization is null then series || '/' || overflow
            else regexp_replace(series, '(/[^/]*){2}$', '') end,
       id, sum, count, min, max, null,
       case when b.organization is not null and not is_own then null else last end, last_ms
from read_rows join looks using (level) left join budgeted b using (organization)
where not is_own or (overflow = '' and series in (select series from unfolded));

create table bucket_texts as
select side, name, window_ms, cell, string_agg(bucket || ':' || n, ' ' order by bucket) as buckets
from (
  select side, name, window_ms, cell, bucket, sum(b.n) as n
  from parts p join (select 'sent' as side, * from added_buckets union all select 'written', * from read_buckets) b using (side, id)
  group by side, name, window_ms, cell, bucket
) added
where n <> 0
group by side, name, window_ms, cell;

-- Rows of equal series and window added up, the way Druid and the lake do.
create table cells as
select side, name, window_ms, cell, sum(sum) as sum, sum(count)::bigint as count, min(min) as min, max(max) as max,
       (array_agg(last order by last_at desc) filter (where last is not null))[1] as last, sum(magnitude) as magnitude
from parts group by side, name, window_ms, cell;
create table expected as
select * from cells left join bucket_texts using (side, name, window_ms, cell) where side = 'sent';
create table actual as
select * from cells left join bucket_texts using (side, name, window_ms, cell) where side = 'written';

create view differences as
select name, to_timestamp(window_ms / 1000.0) at time zone 'UTC' as "window", cell,
       format('%s/%s/%s/%s/%s %s', e.sum, e.count, e.min, e.max, e.last, e.buckets) as expected,
       format('%s/%s/%s/%s/%s %s', a.sum, a.count, a.min, a.max, a.last, a.buckets) as actual
from expected e full join actual a using (name, window_ms, cell)
where e.count is distinct from a.count or e.min is distinct from a.min or e.max is distinct from a.max
   or e.last is distinct from a.last or e.buckets is distinct from a.buckets
   or (e.sum is null) <> (a.sum is null) or abs(e.sum - a.sum) > 1e-9 * e.magnitude
order by 1, 2, 3;
