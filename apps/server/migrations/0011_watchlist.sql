-- What a user keeps an eye on: favourite pairs, and alerts on the last price.

create table favorite_pair (
  user_id uuid not null references user_account (id),
  symbol text not null,
  -- The order in which stars were set.
  number bigint not null generated always as identity,
  primary key (user_id, symbol)
);

create table price_alert (
  id uuid primary key,
  user_id uuid not null references user_account (id),
  symbol text not null,
  condition text not null check (condition in ('gte', 'lte', 'pct')),
  -- In the quote coin; of `pct` in percent.
  price numeric(38, 18) not null check (price > 0),
  from_price numeric(38, 18) not null,
  repeats boolean not null,
  channels text[] not null check (cardinality(channels) > 0 and channels <@ array['inbox', 'mail']),
  -- The caller's own key: asking again finds the same alert.
  request_key text,
  created_at bigint not null,
  told_at bigint,
  -- False after a repeating `gte` or `lte` has told, until the price has been on the other side.
  armed boolean not null,
  -- The row takes account of all deals up to this one.
  deal_sequence bigint not null,
  -- Told for the last time, or removed by its owner.
  ended_at bigint,
  unique (user_id, request_key)
) with (fillfactor = 80);
create index price_alert_watching on price_alert (user_id) where ended_at is null;
create index price_alert_ended on price_alert (ended_at) where ended_at is not null;

-- One row: all deals up to this one have been held against the alerts, and what came of it is stored.
create table price_alert_progress (
  single boolean primary key default true check (single),
  deal_sequence bigint not null
);
insert into price_alert_progress (deal_sequence) select coalesce(max(sequence), 0) from spot_trade;
