-- Proof of liabilities: once a day what users are owed, as a Merkle sum tree. What is published stays for ever.
create table proof_snapshot (
  -- Days since 1970-01-01, UTC.
  day integer primary key,
  at bigint not null,
  -- The last entry of the ledger that is in it.
  entry bigint not null,
  leaves integer not null check (leaves >= 0),
  root bytea not null check (length(root) = 32),
  totals jsonb not null,
  key text not null,
  signature text not null
);
create trigger proof_snapshot_append_only before update or delete or truncate on proof_snapshot
  for each statement execute function refuse_change();

-- What a snapshot owes each user, as `BTC:0.5,USDT:12`; kept for a number of snapshots.
create table proof_owed (
  day integer not null,
  owner uuid not null,
  amounts text not null,
  primary key (day, owner)
);
-- Leaves do not name their owner; they lie in the order of their hashes.
create table proof_leaf (
  day integer not null,
  hash bytea not null,
  place integer,
  sums text not null,
  primary key (day, hash)
) with (fillfactor = 80);
create unique index proof_leaf_place on proof_leaf (day, place);
-- From level 1, above the leaves, to the root.
create table proof_node (
  day integer not null,
  level smallint not null,
  place integer not null,
  hash bytea not null,
  sums text not null,
  primary key (day, level, place)
);
