-- What is billed: points by hour of receipt, and rows, by what recomputation.sql and the job's own rows say; where the told sums differ.

create table billed as
-- A batch that counts again counts in the hour in which it came again.
select 'points' as kind, e.organization, e.resource, e.metric, div(e.received_ms, 3600000) as hour, count(*) as units
from examined e where rejection is null group by 2, 3, 4, 5
union all
select 'set aside', e.organization, '', '', div(e.received_ms, 3600000), count(*)
from examined e where rejection is not null group by 2, 5
union all
select 'without value', p.organization, '', '', div(c.received_ms, 3600000), count(*)
from points p join counted c on c.organization = p.organization and c.batch_id = p.batch_id
where not p.is_recorded group by 2, 5
union all
-- Rows are of the hour of the clock.
select 'rows of ' || level, line->>'organization_id', line->>'resource_id', line->>'metric', 0, count(*)
from emitted group by 1, 2, 3, 4;

create table shown_series as
select distinct line->>'series_id' as id from emitted where level = '1m' and line->>'metric.tidemark.overflow' is null;

create table metering_differences as
select concat_ws(' ', 'metered', kind, organization, resource, metric, hour, 'expected', coalesce(b.units, 0), 'actual', coalesce(m.units, 0)) as found
from billed b full join (
  select kind, organization, resource, metric, case when kind like 'rows%' then 0 else div(hour_ms, 3600000) end as hour, sum(units) as units
  from metered where units > 0 group by 1, 2, 3, 4, 5
) m using (kind, organization, resource, metric, hour)
where b.units is distinct from m.units
union all
select concat_ws(' ', 'series', coalesce(s.id, t.series_id), case when s.id is null then 'is shown without a row' else 'is not shown' end)
from shown_series s full join (select distinct series_id from shown) t on t.series_id = s.id
where s.id is null or t.series_id is null;
