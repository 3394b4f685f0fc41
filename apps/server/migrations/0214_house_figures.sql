-- Figures of the house by day. Days are days since 1970, UTC.

-- What moved between groups of accounts, added up from the ledger's entries by cursor: by day, kind of entry and coin.
-- `source` and `destination` are `customers`, `own` (users with which the exchange trades), a house account such as
-- `house:fees`, or a network outside such as `world:BEP20`. `parties` says whose balances the entry changed.
create table house_flow (
  day integer not null,
  kind text not null,
  parties text not null check (parties in ('none', 'customers', 'own', 'both')),
  source text not null,
  destination text not null,
  asset text not null,
  amount numeric(38, 18) not null check (amount > 0),
  postings bigint not null check (postings > 0),
  primary key (day, kind, parties, source, destination, asset)
) with (fillfactor = 50);

-- The last entry that is added up.
create table house_flow_cursor (id integer primary key check (id = 1), sequence bigint not null);
insert into house_flow_cursor (id, sequence) values (1, 0);

-- The last price in USDT that was seen on a day, by which the day is valued.
create table house_price (
  day integer not null,
  asset text not null,
  price numeric(38, 18) not null check (price > 0),
  primary key (day, asset)
) with (fillfactor = 50);

-- People who registered on a day.
create table house_registration (
  day integer primary key,
  users bigint not null check (users >= 0)
) with (fillfactor = 50);

-- Limits of measures, by version; the newest one holds. Neither limit: no alarm.
create table house_limit_version (
  measure text not null,
  subject text not null,
  version integer not null check (version > 0),
  least numeric(38, 18),
  most numeric(38, 18),
  set_by text not null,
  reason text not null,
  at bigint not null,
  primary key (measure, subject, version)
);
create trigger house_limit_version_append_only before update or delete or truncate on house_limit_version
  for each statement execute function refuse_change();
