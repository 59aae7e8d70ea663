-- Where the buckets of the senders go: bucket b of the grid holds magnitudes in (2^((b-1025)/8), 2^((b-1024)/8)].

-- The bucket of a magnitude of 2^(eighths/8), or of the least one above it.
create function grid(sign int, eighths numeric, is_above boolean) returns int language sql immutable as $$
  select case when b < 1 then 0 else sign * least(b, 2048) end
  from (select (case when is_above then floor(eighths) + 1 else ceil(eighths) end)::int + 1024 as b) numbered
$$;

create function eighths(magnitude double precision) returns numeric language sql immutable as $$
  select round(8 * log(2.0, magnitude::text::numeric), 9)
$$;

-- Explicit bounds: each bucket whole into the one of its middle.
create table places as
select bounds, place,
  case
    when upper is null then case when lower > 0 then grid(1, eighths(lower), true)
                                 when lower < 0 then grid(-1, eighths(-lower), false) else 0 end
    when lower is null then case when upper > 0 then grid(1, eighths(upper) - 8, false)
                                 when upper < 0 then grid(-1, eighths(-upper), false) else 0 end
    when lower > 0 then grid(1, (eighths(lower) + eighths(upper)) / 2, false)
    when upper < 0 then grid(-1, (eighths(-lower) + eighths(-upper)) / 2, false)
    when lower + upper > 0 then grid(1, eighths(lower + upper) - 8, false)
    when lower + upper < 0 then grid(-1, eighths(-lower - upper) - 8, false)
    else 0
  end as bucket
from (
  select bounds, place, bounds[place - 1] as lower, bounds[place] as upper
  from (select distinct bounds from examined where layout_sent = 'explicit') used,
    generate_series(1, cardinality(bounds) + 1) as numbers (place)
) between_bounds;

-- Exponential buckets: fine ones by their end, coarse ones by their middle.
create table sent_buckets as
select id, bucket, sum(n)::bigint as n from (
  select e.id, p.bucket, e.counts[p.place] as n
  from examined e join places p on p.bounds = e.bounds where e.layout_sent = 'explicit' and e.rejection is null
  union all
  select id, 0, zero_count from examined where layout_sent = 'exponential' and rejection is null
  union all
  select id,
         grid(sign, case when scale >= 3 then (first + place)::numeric / (1 << (scale - 3))
                         else (first + place - 0.5) * (1 << (3 - scale)) end, false),
         n
  from (
    select id, scale, 1 as sign, positive_offset as first, n, at as place
    from examined, unnest(positive) with ordinality u(n, at) where layout_sent = 'exponential' and rejection is null
    union all
    select id, scale, -1, negative_offset, n, at
    from examined, unnest(negative) with ordinality u(n, at) where layout_sent = 'exponential' and rejection is null
  ) one_by_one
  where n > 0
) placed
where n > 0
group by id, bucket;
create index on sent_buckets (id);
