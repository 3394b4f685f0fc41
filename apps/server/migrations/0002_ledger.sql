-- Double entry. An account is an address and an asset; only `world` accounts may be negative.

create table ledger_account (
  id bigint primary key,
  address text not null,
  asset text not null,
  owner uuid,
  balance numeric(38, 18) not null,
  unique (address, asset),
  check (balance >= 0 or address like 'world:%')
) with (fillfactor = 70);
create index ledger_account_owner on ledger_account (owner) where owner is not null;

-- One row per entry; posting n moves amounts[n] from sources[n] to destinations[n].
-- hash = SHA-256 over the hash before and the entry's canonical text.
create table ledger_entry (
  sequence bigint primary key,
  at bigint not null,
  kind text not null,
  reference uuid,
  sources bigint[] not null,
  destinations bigint[] not null,
  amounts numeric(38, 18)[] not null,
  hash bytea not null
);
create trigger ledger_entry_append_only before update or delete or truncate on ledger_entry
  for each statement execute function refuse_change();

-- How far the minute's reconciliation has recomputed the balances.
create table ledger_checkpoint (
  id integer primary key check (id = 1),
  sequence bigint not null,
  hash bytea not null
);
insert into ledger_checkpoint (id, sequence, hash) values (1, 0, '\x'::bytea);
create table ledger_checkpoint_balance (
  account bigint primary key,
  balance numeric(38, 18) not null
) with (fillfactor = 70);

-- Statements: a read model of what moved on the accounts of users, projected from the entries by cursor.
create table ledger_movement (
  owner uuid not null,
  entry bigint not null,
  posting integer not null,
  account bigint not null,
  asset text not null,
  bucket text not null,
  kind text not null,
  reference uuid,
  amount numeric(38, 18) not null,
  balance numeric(38, 18) not null,
  at bigint not null,
  primary key (owner, entry, posting, account)
);
create index ledger_movement_account on ledger_movement (account, entry desc, posting desc);
create table ledger_movement_cursor (
  id integer primary key check (id = 1),
  sequence bigint not null
);
insert into ledger_movement_cursor (id, sequence) values (1, 0);
