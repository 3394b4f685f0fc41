-- Closed months of the house's figures. A closed month never changes: what is posted later counts in the next one.
create table house_period (
  -- As `2026-01`.
  month text primary key check (month ~ '^\d{4}-\d\d$'),
  -- Days since 1970, UTC, both included.
  first_day integer not null,
  last_day integer not null check (last_day >= first_day),
  -- The last ledger entry that was added up when the month was closed.
  last_entry bigint not null check (last_entry >= 0),
  -- The figures as a CSV file without its last line, which has the signature of its hash.
  content text not null,
  sha256 bytea not null,
  key text not null,
  signature text not null,
  -- The sums in USDT as the list shows them.
  sums jsonb not null,
  closed_by text not null,
  reason text not null,
  at bigint not null
);
create unique index house_period_days on house_period (last_day);
create trigger house_period_append_only before update or delete or truncate on house_period
  for each statement execute function refuse_change();

-- Prices of a coin are read by days, also the last one before a day.
alter table house_price drop constraint house_price_pkey;
alter table house_price add primary key (asset, day);

-- How often the flows were added up anew; a close that overlaps with it starts again.
alter table house_flow_cursor add column recounts integer not null default 0;
