-- The seconds contract: terms, persons' own limits, positions with their frozen terms, and what the house must keep.

-- Every version of the terms, who set it and why. The newest counts for new positions.
create table seconds_terms (
  version integer primary key check (version > 0),
  terms jsonb not null,
  set_by text not null,
  reason text not null,
  at bigint not null
);
create trigger seconds_terms_append_only before update or delete or truncate on seconds_terms
  for each statement execute function refuse_change();

-- What a person has set for themselves, and where their session stands.
create table seconds_person (
  owner uuid primary key,
  max_stake numeric(38, 18),
  day_loss numeric(38, 18),
  session_minutes integer,
  cool_until bigint,
  -- Looser limits that count from `later_at` on.
  later jsonb,
  later_at bigint,
  session_from bigint,
  last_open_at bigint,
  risk_version text not null default '',
  risk_at bigint,
  check ((later is null) = (later_at is null))
);

create table seconds_order (
  id uuid primary key,
  owner uuid not null,
  symbol text not null,
  -- 1 up, 2 down
  direction smallint not null check (direction in (1, 2)),
  asset text not null,
  stake numeric(38, 18) not null check (stake > 0),
  fee numeric(38, 18) not null check (fee >= 0),
  profit numeric(38, 18) not null check (profit >= 0),
  profit_rate numeric(38, 18) not null,
  fee_rate numeric(38, 18) not null,
  seconds integer not null check (seconds > 0),
  price_window smallint not null check (price_window in (1, 3, 5)),
  digits smallint not null,
  terms_version integer not null references seconds_terms (version),
  index_version text not null,
  sources_hash text not null,
  accepted_at bigint not null,
  entry_at bigint not null check (entry_at > accepted_at and entry_at % 1000 = 0),
  expire_at bigint not null check (expire_at = entry_at + seconds * 1000),
  -- 0 holding, 1 completed, 2 given back without a result
  status smallint not null default 0 check (status in (0, 1, 2)),
  result text check (result in ('win', 'lose', 'draw', 'void')),
  reason text check (reason in ('noEntryPoint', 'noSettlementPoint', 'interval')),
  entry_price numeric(38, 18),
  settle_price numeric(38, 18),
  net numeric(38, 18),
  -- What the house would have made of a void position, where the prices say.
  house_gain numeric(38, 18),
  interval_id uuid,
  finished_at bigint,
  origin text unique,
  check ((status = 0) = (result is null)),
  check ((status = 2) = (coalesce(result, '') = 'void')),
  check ((status = 2) = (reason is not null)),
  check ((status = 0) = (finished_at is null))
) with (fillfactor = 70);
create index seconds_order_owner on seconds_order (owner, id desc);
create index seconds_order_open on seconds_order (owner) where status = 0;
create index seconds_order_interval on seconds_order (interval_id) where interval_id is not null;
create index seconds_order_bucket on seconds_order (symbol, entry_at, expire_at, direction, id) where status = 0;

-- Open positions that the same points settle; gone with the last of them.
create table seconds_bucket (
  symbol text not null,
  entry_at bigint not null,
  expire_at bigint not null,
  asset text not null,
  up_stake numeric(38, 18) not null default 0,
  up_profit numeric(38, 18) not null default 0,
  down_stake numeric(38, 18) not null default 0,
  down_profit numeric(38, 18) not null default 0,
  open integer not null check (open > 0),
  reserve numeric(38, 18) not null check (reserve >= 0),
  primary key (symbol, entry_at, expire_at)
) with (fillfactor = 50);
create index seconds_bucket_due on seconds_bucket (expire_at);

-- The sum of all buckets' reserves, per coin.
create table seconds_reserve (
  asset text primary key,
  used numeric(38, 18) not null check (used >= 0)
) with (fillfactor = 50);

-- What a person lost, on balance, in a UTC day.
create table seconds_day (
  owner uuid not null,
  day bigint not null,
  lost numeric(38, 18) not null,
  primary key (owner, day)
) with (fillfactor = 70);

create table seconds_transfer (
  id uuid primary key,
  owner uuid not null,
  asset text not null,
  -- 1 to the seconds account, 2 back
  type smallint not null check (type in (1, 2)),
  amount numeric(38, 18) not null check (amount > 0),
  at bigint not null
);
create index seconds_transfer_owner on seconds_transfer (owner, id desc);
create trigger seconds_transfer_append_only before update or delete or truncate on seconds_transfer
  for each statement execute function refuse_change();

-- Declared intervals: positions that touch one and are not settled yet are given back.
create table seconds_interval (
  id uuid primary key,
  symbol text not null,
  from_at bigint not null,
  to_at bigint not null check (to_at >= from_at),
  reason text not null,
  set_by text not null,
  at bigint not null
);
create index seconds_interval_time on seconds_interval (symbol, to_at);
create trigger seconds_interval_append_only before update or delete or truncate on seconds_interval
  for each statement execute function refuse_change();

-- Results per duration and, of void positions, per cause.
create table seconds_figure (
  seconds integer not null,
  result text not null,
  reason text not null,
  count bigint not null,
  staked numeric(38, 18) not null,
  -- Of wins the profits paid, of losses stakes and fees kept, of voids what the house would have made.
  amount numeric(38, 18) not null,
  unknown bigint not null default 0,
  primary key (seconds, result, reason)
) with (fillfactor = 50);
