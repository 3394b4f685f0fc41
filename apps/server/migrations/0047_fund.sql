-- Leveraged funds: baskets of indexed coins, positions in their units, orders to sell, and the daily costs.

-- A fund as it is sold now; its basket and currency never change.
create table fund_product (
  id uuid primary key,
  code text not null unique check (code ~ '^[a-z0-9-]{1,40}$'),
  version integer not null check (version > 0),
  -- By locale; documents: title and text by locale.
  name jsonb not null,
  documents jsonb not null,
  asset text not null,
  constituents jsonb not null,
  divisor numeric(38, 18) not null check (divisor > 0),
  leverages jsonb not null,
  min_amount numeric(38, 18) not null check (min_amount > 0),
  step numeric(38, 18) not null check (step > 0),
  manage_rate numeric(38, 18) not null check (manage_rate >= 0 and manage_rate < 1),
  finance_rate numeric(38, 18) not null check (finance_rate >= 0 and finance_rate < 1),
  mmr numeric(38, 18) not null check (mmr > 0 and mmr < 0.5),
  liq_fee numeric(38, 18) not null check (liq_fee >= 0 and liq_fee < 1),
  is_open boolean not null,
  closed_at bigint,
  -- What its positions cost when they were bought: the house has to cover as much.
  open_notional numeric(38, 18) not null default 0 check (open_notional >= 0)
) with (fillfactor = 70);

-- Every version of a fund's terms, who set it and why.
create table fund_product_version (
  product uuid not null references fund_product (id),
  version integer not null,
  terms jsonb not null,
  set_by text not null,
  reason text not null,
  at bigint not null,
  primary key (product, version)
);
create trigger fund_product_version_append_only before update or delete or truncate on fund_product_version
  for each statement execute function refuse_change();

create table fund_position (
  id uuid primary key,
  owner uuid not null,
  fund uuid not null references fund_product (id),
  fund_version integer not null,
  asset text not null,
  leverage smallint not null check (leverage between 1 and 5),
  step numeric(38, 18) not null,
  manage_rate numeric(38, 18) not null,
  finance_rate numeric(38, 18) not null,
  mmr numeric(38, 18) not null,
  liq_fee numeric(38, 18) not null,
  quantity numeric(38, 18) not null check (quantity >= 0),
  buy_price numeric(38, 18),
  margin numeric(38, 18) not null check (margin >= 0),
  costs numeric(38, 18) not null check (costs between 0 and margin),
  -- What it counts for in its fund's open notional.
  notional numeric(38, 18) not null check (notional >= 0),
  accepted_at bigint not null,
  -- The seconds of the tape that it was bought at and ended at.
  opened_at bigint,
  closed_at bigint,
  ended_at bigint,
  -- Below this value it is liquidated; below `watch_price` there is something to do: a warning, or that.
  liquidation_price numeric(38, 18),
  watch_price numeric(38, 18),
  warned smallint not null default 0 check (warned between 0 and 2),
  -- The 00:00 UTC whose cost is next.
  cost_at bigint,
  -- 0 waits for a unit value, 1 holding, 2 sold, 3 liquidated, 4 exited, 5 given back unbought
  status smallint not null check (status between 0 and 5),
  sale_price numeric(38, 18),
  sell_type smallint check (sell_type in (1, 2)),
  payout numeric(38, 18) check (payout >= 0),
  fee numeric(38, 18),
  shortfall numeric(38, 18),
  -- Of what was sold in part: the position it was a part of.
  parent uuid references fund_position (id),
  -- The house's own name for a position that it opened; none for a person's.
  origin text unique,
  check ((status in (1, 2, 3, 4)) = (opened_at is not null)),
  check ((status = 1) = (cost_at is not null)),
  check (status in (0, 1) or watch_price is null)
) with (fillfactor = 70);
create index fund_position_owner on fund_position (owner, id desc);
create index fund_position_pending on fund_position (accepted_at, id) where status = 0;
create index fund_position_watch on fund_position (fund, watch_price) where status = 1 and watch_price is not null;
create index fund_position_open on fund_position (fund, id) where status = 1;
create index fund_position_cost on fund_position (cost_at, id) where status = 1;

-- Orders to sell; a null price is any. Status: 0 waits, 1 executed, 2 cancelled.
create table fund_sell (
  id uuid primary key,
  position uuid not null references fund_position (id),
  owner uuid not null,
  fund uuid not null,
  quantity numeric(38, 18) not null check (quantity > 0),
  price numeric(38, 18) check (price > 0),
  accepted_at bigint not null,
  status smallint not null default 0 check (status in (0, 1, 2)),
  ended_at bigint check ((ended_at is null) = (status = 0))
) with (fillfactor = 70);
create index fund_sell_position on fund_sell (position, id) where status = 0;
create index fund_sell_market on fund_sell (fund, accepted_at) where status = 0 and price is null;
create index fund_sell_limit on fund_sell (fund, price) where status = 0 and price is not null;

-- One row per position and 00:00 UTC: a day is paid for once.
create table fund_cost (
  position uuid not null references fund_position (id),
  day bigint not null,
  owner uuid not null,
  value numeric(38, 18) not null,
  amount numeric(38, 18) not null check (amount >= 0),
  at bigint not null,
  primary key (position, day)
);
create trigger fund_cost_append_only before update or delete or truncate on fund_cost
  for each statement execute function refuse_change();

-- Candles of unit values, by their length in seconds; they follow from the tape, and no step reads them.
create table fund_candle (
  fund uuid not null,
  seconds integer not null,
  opened bigint not null,
  open numeric(38, 18) not null,
  high numeric(38, 18) not null,
  low numeric(38, 18) not null,
  close numeric(38, 18) not null,
  primary key (fund, seconds, opened)
) with (fillfactor = 70);

-- Up to which second of the tape positions were judged; kept with the candles.
create table fund_watch (
  id boolean primary key default true check (id),
  handled bigint not null
);

-- What an owner is still to be told; removed with the message's transaction.
create table fund_notice (
  id uuid primary key,
  owner uuid not null,
  position uuid not null references fund_position (id),
  kind text not null check (kind in ('bought', 'cancelled', 'warned', 'liquidated', 'sold', 'exited')),
  amount numeric(38, 18) not null,
  value numeric(38, 18) not null,
  at bigint not null
);
