-- Orders that wait, expire, belong together or are changed, and who set the status of a pair and why.

alter table spot_order
  drop constraint spot_order_type_check,
  add constraint spot_order_type_check check (type in (
    'limit', 'market', 'stopLimit', 'stopMarket', 'takeProfitLimit', 'takeProfitMarket', 'trailing'
  )),
  drop constraint spot_order_time_in_force_check,
  add constraint spot_order_time_in_force_check check (time_in_force in ('GTC', 'GTT', 'IOC', 'FOK'));

-- Beside `spot_order` and not in it: plain orders, nearly all there are, neither write nor read a row here.
-- A waiting trailing stop's price is as of `trade_sequence`; later trades are looked at after a restart.
-- Of a due stop `trade_sequence` is the trade that met it, which is its turn.
create table spot_order_terms (
  order_id uuid primary key references spot_order (id),
  stop_price numeric(38, 18),
  direction text check (direction in ('gte', 'lte')),
  trail numeric(38, 18),
  extreme numeric(38, 18),
  stop_status text check (stop_status in ('waiting', 'due', 'triggered')),
  triggered_at bigint,
  trade_sequence bigint,
  expire_at bigint,
  group_id uuid,
  cancelled_amount numeric(38, 18) not null check (cancelled_amount >= 0),
  check ((stop_status is null) = (stop_price is null) and (stop_status is null) = (direction is null)),
  check ((stop_status is null) = (trade_sequence is null)),
  check ((trail is null) = (extreme is null)),
  check (stop_status is null or (stop_status = 'waiting') = (triggered_at is null))
) with (fillfactor = 70);

create table spot_amendment (
  order_id uuid not null references spot_order (id),
  -- The step that made the change.
  sequence bigint not null,
  at bigint not null,
  price numeric(38, 18) not null,
  amount numeric(38, 18) not null,
  price_before numeric(38, 18) not null,
  amount_before numeric(38, 18) not null,
  primary key (order_id, sequence)
);
create trigger spot_amendment_append_only before update or delete or truncate on spot_amendment
  for each statement execute function refuse_change();

-- One row per pair: what stops are measured by after a restart.
create table spot_last_price (
  symbol text primary key,
  price numeric(38, 18) not null,
  trade_sequence bigint not null
) with (fillfactor = 50);
insert into spot_last_price (symbol, price, trade_sequence)
  select distinct on (symbol) symbol, price, sequence from spot_trade order by symbol, sequence desc;

alter table spot_pair_status
  add column set_by text not null default '',
  add column reason text not null default '';

create table spot_pair_status_history (
  -- The step that set it.
  sequence bigint primary key,
  symbol text not null,
  status text not null check (status in ('open', 'cancelOnly', 'closed')),
  status_before text not null check (status_before in ('open', 'cancelOnly', 'closed')),
  set_by text not null check (set_by <> ''),
  reason text not null check (reason <> ''),
  at bigint not null
);
create index spot_pair_status_history_symbol on spot_pair_status_history (symbol, sequence desc);
create trigger spot_pair_status_history_append_only before update or delete or truncate on spot_pair_status_history
  for each statement execute function refuse_change();

-- When trading was last alive, and whether it stopped on purpose: tells an outage from a planned restart.
create table spot_presence (
  id integer primary key check (id = 1),
  at bigint not null,
  is_planned_stop boolean not null
);
