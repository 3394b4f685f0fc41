-- How long finished withdrawals took, counted by day and step: what is told of a month stays small however many they were.
create table withdrawal_time (
  -- Days since 1970, UTC, of the end.
  day integer not null,
  asset text not null,
  network text not null,
  -- The upper end of the step, in seconds.
  seconds integer not null,
  count integer not null check (count > 0),
  late integer not null check (late >= 0),
  slowest_ms bigint not null check (slowest_ms >= 0),
  primary key (day, asset, network, seconds)
);

insert into withdrawal_time (day, asset, network, seconds, count, late, slowest_ms)
select (finished_at / 86400000)::int, asset, network,
  (select coalesce(min(step), 604800) from unnest(array[10, 15, 20, 30, 40, 50, 60, 75, 90, 120, 150, 180, 240, 300, 360,
    420, 480, 540, 600, 720, 900, 1200, 1500, 1800, 2400, 3000, 3600, 4500, 5400, 7200, 9000, 10800, 14400, 18000, 21600,
    28800, 36000, 43200, 57600, 72000, 86400, 129600, 172800, 259200, 604800]) as step
    where step * 1000::bigint >= finished_at - created_at),
  count(*), count(*) filter (where finished_at - created_at > 86400000), greatest(max(finished_at - created_at), 0)
from withdrawal where status = 1 group by 1, 2, 3, 4;
