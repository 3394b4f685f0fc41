-- Fixed-term finance: products, orders with their frozen terms, and the interest of every day.

-- A product as it is sold now. What is left of it, and of a person's share, are balances of the ledger.
create table finance_product (
  id uuid primary key,
  code text not null unique check (code ~ '^[a-z0-9-]{1,40}$'),
  version integer not null check (version > 0),
  -- By locale.
  name jsonb not null,
  source jsonb not null,
  asset text not null,
  period integer not null check (period between 1 and 366),
  daily_rate numeric(38, 18) not null check (daily_rate > 0 and daily_rate < 1),
  start_amount numeric(38, 18) not null check (start_amount > 0),
  max_amount numeric(38, 18) not null check (max_amount >= start_amount),
  capacity numeric(38, 18) not null check (capacity >= 0),
  pay_mode text not null check (pay_mode in ('maturity', 'daily')),
  is_manual boolean not null,
  opens_at bigint not null,
  closes_at bigint check (closes_at > opens_at),
  agreement_version text not null,
  -- The interest of one day of all orders that still earn.
  running_interest numeric(38, 18) not null default 0 check (running_interest >= 0)
) with (fillfactor = 70);

-- Every version of a product's terms, who set it and why.
create table finance_product_version (
  product uuid not null references finance_product (id),
  version integer not null,
  terms jsonb not null,
  set_by text not null,
  reason text not null,
  at bigint not null,
  primary key (product, version)
);
create trigger finance_product_version_append_only before update or delete or truncate on finance_product_version
  for each statement execute function refuse_change();

-- Which version of the product agreement a person has accepted, and when.
create table finance_agreement (
  owner uuid not null,
  version text not null,
  at bigint not null,
  primary key (owner, version)
);

create table finance_order (
  id uuid primary key,
  owner uuid not null,
  product uuid not null references finance_product (id),
  product_version integer not null,
  asset text not null,
  principal numeric(38, 18) not null check (principal > 0),
  daily_rate numeric(38, 18) not null,
  daily_interest numeric(38, 18) not null check (daily_interest >= 0),
  period integer not null check (period between 1 and 366),
  pay_mode text not null check (pay_mode in ('maturity', 'daily')),
  is_manual boolean not null,
  bought_at bigint not null,
  start_at bigint not null,
  end_at bigint not null check (end_at > start_at),
  days_accrued integer not null default 0 check (days_accrued between 0 and period),
  -- When the next day has been earned; null once all have been credited.
  next_at bigint check ((next_at is null) = (days_accrued = period)),
  -- 1 hosting, 2 completed
  status smallint not null default 1 check (status in (1, 2)),
  closed_at bigint check ((closed_at is null) = (status = 1)),
  -- The house's own name for an order that it opened; none for a person's.
  origin text unique,
  check (status = 1 or next_at is null)
) with (fillfactor = 70);
create index finance_order_owner on finance_order (owner, id desc);
create index finance_order_due on finance_order (next_at, id) where next_at is not null;
create index finance_order_matured on finance_order (end_at, id) where status = 1;

-- One row per order and day: a day is credited once. `day` counts from 1; `earned_on` is its 00:00 UTC.
create table finance_income (
  order_id uuid not null references finance_order (id),
  day integer not null check (day > 0),
  owner uuid not null,
  earned_on bigint not null,
  amount numeric(38, 18) not null check (amount >= 0),
  at bigint not null,
  primary key (order_id, day)
);
create index finance_income_owner on finance_income (owner, earned_on desc, order_id desc);
create trigger finance_income_append_only before update or delete or truncate on finance_income
  for each statement execute function refuse_change();

-- What an owner is still to be told in the inbox; removed with the message's transaction.
create table finance_notice (
  id uuid primary key,
  owner uuid not null,
  order_id uuid not null references finance_order (id),
  kind text not null check (kind in ('bought', 'income', 'matured')),
  amount numeric(38, 18) not null,
  at bigint not null
);
