-- Recurring buys. A plan pays an amount at regular times of its owner's clock and buys its coins by instant exchanges.
create table recurring_plan (
  id uuid primary key,
  owner uuid not null,
  asset text not null,
  amount numeric(38, 18) not null check (amount > 0),
  frequency text not null check (frequency in ('day', 'week', 'month')),
  weekday smallint check (weekday between 1 and 7),
  month_day smallint check (month_day between 1 and 31),
  -- Minutes after midnight in the time zone.
  minute smallint not null check (minute between 0 and 1439),
  time_zone text not null,
  status text not null check (status in ('active', 'paused', 'ended')),
  -- The next time at which the plan buys.
  next_at bigint,
  -- Times at which no coin was bought.
  skipped integer not null default 0,
  created_at bigint not null,
  ended_at bigint,
  -- The house's own name for a plan of the demo; none for a person's.
  origin text unique,
  check ((frequency = 'week') = (weekday is not null)),
  check ((frequency = 'month') = (month_day is not null)),
  check ((status = 'active') = (next_at is not null)),
  check ((status = 'ended') = (ended_at is not null))
);
create index recurring_plan_due on recurring_plan (next_at, id) where status = 'active';
create index recurring_plan_open on recurring_plan (owner, created_at desc, id desc) where status <> 'ended';
create index recurring_plan_ended on recurring_plan (owner, created_at desc, id desc) where status = 'ended';

-- The coins of a plan with their totals, so that a plan's result does not need its history.
create table recurring_plan_coin (
  plan uuid not null references recurring_plan (id),
  position smallint not null,
  asset text not null,
  share smallint not null check (share between 1 and 100),
  buys integer not null default 0,
  paid numeric(38, 18) not null default 0,
  received numeric(38, 18) not null default 0,
  first_paid numeric(38, 18) not null default 0,
  first_received numeric(38, 18) not null default 0,
  primary key (plan, position),
  unique (plan, asset)
);

-- A time of a plan at which it bought, or why it did not. There is at most one row for each time.
create table recurring_buy (
  id uuid primary key,
  plan uuid not null references recurring_plan (id),
  owner uuid not null,
  -- The coin that was paid.
  asset text not null,
  scheduled_at bigint not null,
  executed_at bigint not null,
  -- Earlier times that passed while nothing could be bought.
  missed integer not null,
  unique (plan, scheduled_at)
);
create index recurring_buy_owner on recurring_buy (owner, executed_at desc, id desc);
create index recurring_buy_plan on recurring_buy (plan, executed_at desc, id desc);
create trigger recurring_buy_append_only before update or delete or truncate on recurring_buy
  for each statement execute function refuse_change();

create table recurring_buy_coin (
  buy uuid not null references recurring_buy (id),
  position smallint not null,
  asset text not null,
  amount numeric(38, 18) not null check (amount >= 0),
  -- The exchange and what it brought after its fee, or the reason why there is none.
  exchange uuid,
  received numeric(38, 18) not null check (received >= 0),
  skipped text check (skipped in ('short', 'halted', 'late', 'account', 'inventory', 'amount')),
  primary key (buy, position),
  check ((exchange is null) = (skipped is not null))
);
create trigger recurring_buy_coin_append_only before update or delete or truncate on recurring_buy_coin
  for each statement execute function refuse_change();

-- What an owner is still to be told in the inbox; removed with the message's transaction.
create table recurring_notice (
  id uuid primary key,
  buy uuid not null references recurring_buy (id),
  kind text not null check (kind in ('bought', 'short', 'halted', 'late', 'account', 'inventory', 'amount'))
);
