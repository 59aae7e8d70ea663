-- Rows of both sides in rows(side, level, window_ms, series_id, environment, metric, type, unit, resource, is_overflow, sum, count,
-- min, max, last, last_ms, distribution, panes). Rows of equal series and window add up; then both sides must say the same.
-- Which of too many series keep their names depends on the order in which they come. So where a metric has an overflow
-- series and its series differ, the total over all of them must be the same instead.
create table cells as
select side, level, window_ms, series_id, any_value(environment) as environment, any_value(metric) as metric,
       any_value(type) as type, any_value(unit) as unit, any_value(resource) as resource, bool_or(is_overflow) as is_overflow,
       sum(sum) as sum, sum(count)::bigint as count, min(min) as min, max(max) as max,
       arg_max(last, last_ms) filter (where last is not null) as last,
       -- How large the numbers were that were added: floating sums may differ by a billionth of it.
       greatest(sum(abs(sum)), coalesce(sum(count) * greatest(max(abs(min)), max(abs(max))), 0)) as magnitude
from rows
group by side, level, window_ms, series_id;

-- Histogram buckets: form `3|1025:12|1040:7,9,3`, runs of consecutive buckets from a first number. A row may stand for several panes of
-- the same buckets.
create table buckets as
select side, level, window_ms, series_id, first_bucket + place as bucket, sum(observations) as observations
from (
  select side, level, window_ms, series_id, split_part(run, ':', 1)::int as first_bucket,
         unnest(string_split(split_part(run, ':', 2), ','))::bigint * panes as observations,
         generate_subscripts(string_split(split_part(run, ':', 2), ','), 1) - 1 as place
  from (select side, level, window_ms, series_id, panes, unnest(string_split(distribution, '|')[2:]) as run
        from rows where distribution is not null)
)
group by all
having sum(observations) <> 0;

create table bucket_differences as
select distinct level, window_ms, series_id from (
  (select level, window_ms, series_id, bucket, observations from buckets where side = 'live'
   except select level, window_ms, series_id, bucket, observations from buckets where side = 'replayed')
  union all
  (select level, window_ms, series_id, bucket, observations from buckets where side = 'replayed'
   except select level, window_ms, series_id, bucket, observations from buckets where side = 'live')
);

-- How far series of a window may have been folded: an overflow series keeps the resource, or only the metric, or not even that.
create table scoped as
select *, case
    when bool_or(is_overflow and metric = 'tidemark.overflow') over (partition by level, window_ms, environment, type)
      then concat_ws(' ', 'any metric', environment, type)
    when bool_or(is_overflow and resource is null) over (partition by level, window_ms, environment, type, unit, metric)
      then concat_ws(' ', 'any resource', environment, type, unit, metric)
    when bool_or(is_overflow) over (partition by level, window_ms, environment, type, unit, metric, resource)
      then concat_ws(' ', environment, type, unit, metric, resource) end as scope
from cells;

create table series_differences as
select coalesce(l.level, r.level) as level, coalesce(l.window_ms, r.window_ms) as window_ms,
       coalesce(l.series_id, r.series_id) as series_id, coalesce(l.metric, r.metric) as metric,
       l.sum as live_sum, r.sum as replayed_sum, l.count as live_count, r.count as replayed_count,
       l.min as live_min, r.min as replayed_min, l.max as live_max, r.max as replayed_max,
       l.last as live_last, r.last as replayed_last, b.series_id is not null as other_buckets,
       coalesce(l.scope, r.scope) as scope
from (select * from scoped where side = 'live') l
full join (select * from scoped where side = 'replayed') r
  on l.level = r.level and l.window_ms = r.window_ms and l.series_id = r.series_id
left join bucket_differences b
  on b.level = coalesce(l.level, r.level) and b.window_ms = coalesce(l.window_ms, r.window_ms)
  and b.series_id = coalesce(l.series_id, r.series_id)
where l.count is distinct from r.count or l.min is distinct from r.min or l.max is distinct from r.max
   or l.last is distinct from r.last or (l.sum is null) <> (r.sum is null)
   or abs(l.sum - r.sum) > 1e-9 * greatest(l.magnitude, r.magnitude) or b.series_id is not null;

create table folded_scopes as
select distinct level, window_ms, scope from series_differences where scope is not null;

-- Totals have no last value: there are many series.
create table totals as
select side, level, window_ms, scope, any_value(metric) as metric, sum(sum) as sum, sum(count)::bigint as count,
       min(min) as min, max(max) as max, sum(magnitude) as magnitude
from scoped join folded_scopes using (level, window_ms, scope)
group by side, level, window_ms, scope;

create table total_bucket_differences as
select distinct level, window_ms, scope from (
  select level, window_ms, scope, bucket, sum(case side when 'live' then observations else -observations end) as surplus
  from buckets join scoped using (side, level, window_ms, series_id) join folded_scopes using (level, window_ms, scope)
  group by all
)
where surplus <> 0;

create table differences as
select level, window_ms, metric, series_id as what, live_sum, replayed_sum, live_count, replayed_count, live_min, replayed_min,
       live_max, replayed_max, live_last, replayed_last, other_buckets
from series_differences where scope is null
union all
select f.level, f.window_ms, coalesce(l.metric, r.metric), 'total with folded series', l.sum, r.sum, l.count, r.count,
       l.min, r.min, l.max, r.max, null, null, b.scope is not null
from folded_scopes f
left join totals l on l.side = 'live' and l.level = f.level and l.window_ms = f.window_ms and l.scope = f.scope
left join totals r on r.side = 'replayed' and r.level = f.level and r.window_ms = f.window_ms and r.scope = f.scope
left join total_bucket_differences b on b.level = f.level and b.window_ms = f.window_ms and b.scope = f.scope
where l.count is distinct from r.count or l.min is distinct from r.min or l.max is distinct from r.max
   or (l.sum is null) <> (r.sum is null) or abs(l.sum - r.sum) > 1e-9 * greatest(l.magnitude, r.magnitude) or b.scope is not null;
