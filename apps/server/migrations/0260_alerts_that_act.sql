-- Alerts on moves within a time and on crossings of a moving average, and orders that alerts place.
alter table price_alert
  drop constraint price_alert_condition_check,
  drop constraint price_alert_price_check,
  add constraint price_alert_condition_check
    check (condition in ('gte', 'lte', 'pct', 'move', 'crossUp', 'crossDown')),
  -- A crossing has no price of its own.
  add constraint price_alert_price_check check ((price > 0) = (condition not in ('crossUp', 'crossDown')) and price >= 0),
  add column window_minutes integer check (window_minutes in (5, 15, 60, 240, 1440)),
  add column average_kind text check (average_kind in ('ma', 'ema')),
  add column average_period integer check (average_period between 2 and 200),
  add column average_timer text,
  add constraint price_alert_window_check check ((window_minutes is not null) = (condition = 'move')),
  add constraint price_alert_average_check check (
    (average_kind is not null) = (condition in ('crossUp', 'crossDown'))
    and (average_period is not null) = (average_kind is not null)
    and (average_timer is not null) = (average_kind is not null)
  ),
  -- The order that is placed when the alert triggers.
  add column order_side text check (order_side in ('buy', 'sell')),
  add column order_type text check (order_type in ('limit', 'market')),
  add column order_price numeric(38, 18) check (order_price > 0),
  add column order_amount numeric(38, 18) check (order_amount > 0),
  -- Waits for the alert, is due since the alert triggered (`told_at`), or has been placed or refused.
  add column order_status text check (order_status in ('waiting', 'due', 'placed', 'refused')),
  -- The order on the book, or the key of the refusal.
  add column order_id uuid,
  add column order_refusal text,
  add constraint price_alert_order_check check (
    (order_side is not null) = (order_status is not null)
    and (order_type is not null) = (order_status is not null)
    and (order_amount is not null) = (order_status is not null)
    and (order_price is not null) = (order_status is not null and order_type = 'limit')
    and (order_status is null or not repeats)
    and (order_id is not null) = (order_status is not null and order_status = 'placed')
  );
create index price_alert_order_due on price_alert (told_at) where order_status = 'due';

alter table price_alert_progress
  -- The last deal before the minute of `deal_sequence`: from it on, deals are read again for the current minute of windows.
  add column window_sequence bigint not null default 0,
  -- Candles that closed up to this time have been compared with their averages, and what came of it is stored.
  add column candles_at bigint not null default 0;
update price_alert_progress set window_sequence = deal_sequence;

-- The lowest, highest and last index of a minute, for windows of a day across a restart.
create table price_alert_index_minute (
  symbol text not null,
  minute bigint not null,
  low numeric(38, 18) not null,
  high numeric(38, 18) not null,
  primary key (symbol, minute)
);
create index price_alert_index_minute_old on price_alert_index_minute (minute);
