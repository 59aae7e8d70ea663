-- Rows of both sides in rows(side, level, window_ms, series_id, metric, sum, count, min, max, last, last_ms, distribution).
-- Rows of equal series and window add up; then both sides must say the same.
create table cells as
select side, level, window_ms, series_id, any_value(metric) as metric, count(*) as rows,
       sum(sum) as sum, sum(count)::bigint as count, min(min) as min, max(max) as max,
       arg_max(last, last_ms) filter (where last is not null) as last,
       -- How large the numbers were that were added: floating sums may differ by a billionth of it.
       greatest(sum(abs(sum)), coalesce(sum(count) * greatest(max(abs(min)), max(abs(max))), 0)) as magnitude
from rows
group by side, level, window_ms, series_id;

-- Histogram buckets: form `3|1025:12|1040:7,9,3`, runs of consecutive buckets from a first number.
create table buckets as
select side, level, window_ms, series_id, first_bucket + place as bucket, sum(observations) as observations
from (
  select side, level, window_ms, series_id, split_part(run, ':', 1)::int as first_bucket,
         unnest(string_split(split_part(run, ':', 2), ','))::bigint as observations,
         generate_subscripts(string_split(split_part(run, ':', 2), ','), 1) - 1 as place
  from (select side, level, window_ms, series_id, unnest(string_split(distribution, '|')[2:]) as run
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

create table differences as
select coalesce(l.level, r.level) as level, coalesce(l.window_ms, r.window_ms) as window_ms,
       coalesce(l.series_id, r.series_id) as series_id, coalesce(l.metric, r.metric) as metric,
       l.sum as live_sum, r.sum as replayed_sum, l.count as live_count, r.count as replayed_count,
       l.min as live_min, r.min as replayed_min, l.max as live_max, r.max as replayed_max,
       l.last as live_last, r.last as replayed_last, b.series_id is not null as other_buckets
from (select * from cells where side = 'live') l
full join (select * from cells where side = 'replayed') r
  on l.level = r.level and l.window_ms = r.window_ms and l.series_id = r.series_id
left join bucket_differences b
  on b.level = coalesce(l.level, r.level) and b.window_ms = coalesce(l.window_ms, r.window_ms)
  and b.series_id = coalesce(l.series_id, r.series_id)
where l.count is distinct from r.count or l.min is distinct from r.min or l.max is distinct from r.max
   or l.last is distinct from r.last or (l.sum is null) <> (r.sum is null)
   or abs(l.sum - r.sum) > 1e-9 * greatest(l.magnitude, r.magnitude) or b.series_id is not null;
