-- Losses in an interval that was declared void after their settlement are refunded by the house.

-- Intervals whose losses are refunded. Intervals from before this rule have no row: results stood then.
create table seconds_refund (
  interval_id uuid primary key references seconds_interval (id),
  -- When the last loss was refunded.
  finished_at bigint
);
create index seconds_refund_open on seconds_refund (interval_id) where finished_at is null;

alter table seconds_order
  add column refund_interval uuid,
  add column refunded_at bigint,
  add constraint seconds_order_refund check (
    (refund_interval is null) = (refunded_at is null) and (refunded_at is null or result = 'lose')
  );
create index seconds_order_lost on seconds_order (symbol, entry_at, id)
  where result = 'lose' and refunded_at is null;
create index seconds_order_refunded on seconds_order (refunded_at, id) where refunded_at is not null;
create index seconds_order_refund_interval on seconds_order (refund_interval) where refund_interval is not null;
