-- Orders in their latest state and the trades between them. `rank` is the order's place in time priority,
-- `held` what is still set aside for it (of the quote asset for buys, the base asset for sells).

create table spot_order (
  id uuid primary key,
  owner uuid not null,
  symbol text not null,
  side text not null check (side in ('buy', 'sell')),
  type text not null check (type in ('limit', 'market')),
  time_in_force text not null check (time_in_force in ('GTC', 'IOC', 'FOK')),
  post_only boolean not null,
  self_trade text not null,
  price numeric(38, 18),
  amount numeric(38, 18),
  total numeric(38, 18),
  filled_amount numeric(38, 18) not null,
  filled_total numeric(38, 18) not null,
  fee numeric(38, 18) not null,
  held numeric(38, 18) not null check (held >= 0),
  held_asset text not null,
  status text not null check (status in ('open', 'filled', 'cancelled')),
  reason text not null,
  maker_rate numeric(38, 18) not null,
  taker_rate numeric(38, 18) not null,
  client_id text not null,
  rank bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  check (status = 'open' or held = 0)
) with (fillfactor = 70);
create index spot_order_owner on spot_order (owner, id desc);
create index spot_order_open on spot_order (symbol, rank) where status = 'open';

create table spot_trade (
  id uuid primary key,
  sequence bigint not null unique,
  symbol text not null,
  price numeric(38, 18) not null,
  amount numeric(38, 18) not null,
  total numeric(38, 18) not null,
  taker_side text not null check (taker_side in ('buy', 'sell')),
  taker uuid not null,
  taker_order uuid not null,
  taker_fee numeric(38, 18) not null,
  maker uuid not null,
  maker_order uuid not null,
  maker_fee numeric(38, 18) not null,
  -- What the trade was worth in USDT when it was made: counts toward fee tiers. Null without a price.
  value_usdt numeric(38, 18),
  at bigint not null,
  check (taker <> maker)
);
create index spot_trade_taker on spot_trade (taker, sequence desc);
create index spot_trade_maker on spot_trade (maker, sequence desc);
create index spot_trade_taker_order on spot_trade (taker_order);
create index spot_trade_maker_order on spot_trade (maker_order);
create trigger spot_trade_append_only before update or delete or truncate on spot_trade
  for each statement execute function refuse_change();

-- Operators' stops: a pair without a row is open.
create table spot_pair_status (
  symbol text primary key,
  status text not null check (status in ('open', 'cancelOnly', 'closed')),
  since bigint not null
);
