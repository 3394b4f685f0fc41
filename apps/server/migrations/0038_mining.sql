-- Mining: products, orders with their frozen terms, and the income of every day.

-- A product as it is sold now. What is left of it, and of a person's share, are balances of the ledger.
create table mining_product (
  id uuid primary key,
  code text not null unique check (code ~ '^[a-z0-9-]{1,40}$'),
  version integer not null check (version > 0),
  -- By locale.
  name jsonb not null,
  source jsonb not null,
  asset text not null,
  cycle integer not null check (cycle between 1 and 366),
  daily_rate numeric(38, 18) not null check (daily_rate > 0 and daily_rate < 1),
  start_amount numeric(38, 18) not null check (start_amount > 0),
  max_amount numeric(38, 18) not null check (max_amount >= start_amount),
  capacity numeric(38, 18) not null check (capacity >= 0),
  opens_at bigint not null,
  closes_at bigint check (closes_at > opens_at),
  agreement_version text not null,
  -- The income of one day of all orders that still earn.
  running_income numeric(38, 18) not null default 0 check (running_income >= 0)
) with (fillfactor = 70);

-- Every version of a product's terms, who set it and why.
create table mining_product_version (
  product uuid not null references mining_product (id),
  version integer not null,
  terms jsonb not null,
  set_by text not null,
  reason text not null,
  at bigint not null,
  primary key (product, version)
);
create trigger mining_product_version_append_only before update or delete or truncate on mining_product_version
  for each statement execute function refuse_change();

-- Which version of the product agreement a person has accepted, and when.
create table mining_agreement (
  owner uuid not null,
  version text not null,
  at bigint not null,
  primary key (owner, version)
);

-- Whether an order is in progress or to be redeemed says the moment: its cycle ends at `end_at`.
create table mining_order (
  id uuid primary key,
  owner uuid not null,
  product uuid not null references mining_product (id),
  product_version integer not null,
  asset text not null,
  principal numeric(38, 18) not null check (principal > 0),
  daily_rate numeric(38, 18) not null,
  daily_income numeric(38, 18) not null check (daily_income >= 0),
  cycle integer not null check (cycle between 1 and 366),
  bought_at bigint not null,
  start_at bigint not null,
  end_at bigint not null check (end_at > start_at),
  days_credited integer not null default 0 check (days_credited between 0 and cycle),
  -- When the income of the next day is credited; null once all has been.
  next_at bigint check ((next_at is null) = (days_credited = cycle)),
  redeemed_at bigint check (redeemed_at >= end_at),
  -- The house's own name for an order that it opened; none for a person's.
  origin text unique
) with (fillfactor = 70);
create index mining_order_owner on mining_order (owner, id desc);
create index mining_order_due on mining_order (next_at, id) where next_at is not null;

-- One row per order and day: a day is credited once. `day` counts from 1; `earned_on` is its 00:00 UTC.
create table mining_income (
  order_id uuid not null references mining_order (id),
  day integer not null check (day > 0),
  owner uuid not null,
  earned_on bigint not null,
  amount numeric(38, 18) not null check (amount >= 0),
  at bigint not null,
  primary key (order_id, day)
);
create index mining_income_owner on mining_income (owner, earned_on desc, order_id desc);
create trigger mining_income_append_only before update or delete or truncate on mining_income
  for each statement execute function refuse_change();

-- What an owner is still to be told in the inbox; removed with the message's transaction.
create table mining_notice (
  id uuid primary key,
  owner uuid not null,
  order_id uuid not null references mining_order (id),
  kind text not null check (kind in ('bought', 'income', 'ended', 'redeemed')),
  amount numeric(38, 18) not null,
  at bigint not null
);
