-- Books of realised gains by first in, first out and by average cost. They follow from the statement, like the costs of
-- coins, and are counted with them: both are counted again, in bounded steps, when their owner next asks.
delete from portfolio_cost;
delete from portfolio_cost_position;
alter table portfolio_cost_position
  -- The last entry of which an event is stored; `entry` is the last one that the books contain.
  add column ingested bigint not null default 0 check (ingested >= entry),
  -- Books from before a changed cost are being deleted, a portion at a time.
  add column is_clearing boolean not null default false;

-- Changes of a user's coins with their value in USDT at that time, one row per ledger entry and coin.
create table tax_event (
  owner uuid not null references portfolio_cost_position (owner) on delete cascade,
  entry bigint not null,
  asset text not null,
  at bigint not null,
  kind text not null,
  reference uuid,
  category text not null check (category in ('trade', 'income', 'result', 'transfer')),
  section text check (section in ('interest', 'mining', 'rebate', 'seconds', 'fund')),
  amount numeric(38, 18) not null check (amount <> 0),
  -- Value of the amount in USDT, null if the exchange has stored none for that minute, and where it comes from.
  value numeric(38, 18) check (value >= 0),
  value_source text check (value_source in ('trade', 'index', 'candle')),
  -- The other coin of a trade.
  counter_asset text,
  counter_amount numeric(38, 18),
  fee_asset text,
  fee_amount numeric(38, 18),
  fee_value numeric(38, 18),
  -- Number of entries that this event adds up: rows of the statement that were summed before the event was stored.
  entries integer not null check (entries > 0),
  primary key (owner, entry, asset),
  check ((value is null) = (value_source is null)),
  check ((section is not null) = (category in ('income', 'result')))
);
create index tax_event_at on tax_event (owner, at, entry, asset);
create index tax_event_arrival on tax_event (owner, at, entry, asset) where category = 'transfer' and amount > 0;

-- What a user entered as the cost of coins that were transferred in.
create table tax_cost (
  owner uuid not null,
  entry bigint not null,
  asset text not null,
  cost numeric(38, 18) not null check (cost >= 0),
  acquired_at bigint not null,
  changed_at bigint not null,
  primary key (owner, entry, asset)
);

-- Acquired coins, in the order of the entries in which they arrived.
create table tax_lot (
  owner uuid not null references portfolio_cost_position (owner) on delete cascade,
  asset text not null,
  entry bigint not null,
  acquired_at bigint not null,
  amount numeric(38, 18) not null check (amount > 0),
  remaining numeric(38, 18) not null check (remaining between 0 and amount),
  -- Cost of the whole amount; null if it is not known.
  cost numeric(38, 18) check (cost >= 0),
  primary key (owner, asset, entry)
);
create index tax_lot_open on tax_lot (owner, asset, entry) where remaining > 0;

-- Coins that left, by a sale or a transfer, with their result by each method.
create table tax_disposal (
  owner uuid not null references portfolio_cost_position (owner) on delete cascade,
  entry bigint not null,
  asset text not null,
  at bigint not null,
  category text not null check (category in ('trade', 'income', 'result', 'transfer')),
  section text,
  amount numeric(38, 18) not null check (amount > 0),
  -- Part of the amount for which lots have been found so far.
  matched numeric(38, 18) not null check (matched between 0 and amount),
  proceeds numeric(38, 18),
  fifo_costed numeric(38, 18) not null,
  fifo_cost numeric(38, 18) not null,
  average_costed numeric(38, 18) not null,
  average_cost numeric(38, 18) not null,
  primary key (owner, entry, asset)
);
create index tax_disposal_at on tax_disposal (owner, at, entry, asset) where category <> 'transfer';

-- The lots from which a disposal took its coins.
create table tax_use (
  owner uuid not null references portfolio_cost_position (owner) on delete cascade,
  entry bigint not null,
  asset text not null,
  lot bigint not null,
  amount numeric(38, 18) not null check (amount > 0),
  cost numeric(38, 18),
  primary key (owner, entry, asset, lot)
);

-- Totals of a coin in a year (UTC) by a method; quantity, cost and uncosted are those at the end of the year.
create table tax_year (
  owner uuid not null references portfolio_cost_position (owner) on delete cascade,
  year integer not null,
  method text not null check (method in ('fifo', 'average')),
  asset text not null,
  quantity numeric(38, 18) not null,
  cost numeric(38, 18) not null,
  uncosted numeric(38, 18) not null,
  acquired numeric(38, 18) not null,
  acquired_cost numeric(38, 18) not null,
  income numeric(38, 18) not null,
  income_value numeric(38, 18) not null,
  arrived numeric(38, 18) not null,
  arrived_cost numeric(38, 18) not null,
  departed numeric(38, 18) not null,
  departed_cost numeric(38, 18) not null,
  disposed numeric(38, 18) not null,
  proceeds numeric(38, 18) not null,
  disposed_cost numeric(38, 18) not null,
  gain numeric(38, 18) not null,
  unknown_proceeds numeric(38, 18) not null,
  fees numeric(38, 18) not null,
  unvalued integer not null,
  primary key (owner, year, method, asset)
);

-- Income and results of products in a year, by coin.
create table tax_section (
  owner uuid not null references portfolio_cost_position (owner) on delete cascade,
  year integer not null,
  section text not null,
  asset text not null,
  events integer not null,
  gained numeric(38, 18) not null,
  gained_value numeric(38, 18) not null,
  lost numeric(38, 18) not null,
  lost_value numeric(38, 18) not null,
  unvalued integer not null,
  primary key (owner, year, section, asset)
);
