-- Real chains: whose addresses are, how far a chain has been looked at, what it had, and what was sent on it.

-- Everybody's place below the extended public key; the same address on every network of this kind.
create table evm_address (
  idx integer primary key check (idx >= 0),
  owner uuid not null unique,
  -- In lower case, as blocks are searched for it.
  address text not null unique check (address ~ '^0x[0-9a-f]{40}$'),
  at bigint not null
);
create trigger evm_address_append_only before update or delete or truncate on evm_address
  for each statement execute function refuse_change();

-- The newest blocks that were looked at, for telling when the chain has taken some of them back.
create table chain_block (
  network text not null,
  number bigint not null,
  hash text not null,
  primary key (network, number)
);

-- What a chain had, and what it then had no more; `position` follows the order of commits.
create table chain_sighting (
  position bigint generated always as identity primary key,
  network text not null,
  txid text not null,
  output integer not null,
  asset text not null,
  address text not null,
  amount numeric(38, 18) not null check (amount > 0),
  block bigint not null,
  block_hash text not null,
  is_gone boolean not null
);
create index chain_sighting_block on chain_sighting (network, block);
create trigger chain_sighting_append_only before update or delete or truncate on chain_sighting
  for each statement execute function refuse_change();

-- What was to be sent, once per origin. The signed transaction is here before any node gets it, and never changes.
create table chain_sending (
  origin text primary key,
  network text not null,
  asset text not null,
  address text not null,
  amount numeric(38, 18) not null check (amount > 0),
  nonce bigint,
  txid text unique,
  raw text,
  asked_at bigint not null,
  check ((raw is null) = (txid is null) and (raw is null) = (nonce is null)),
  unique (network, nonce)
);

-- A deposit that its chain took back before it was credited is rejected; one that was credited stays so and is looked at by people.
alter table deposit add column gone_at bigint;
create index deposit_gone on deposit (gone_at) where gone_at is not null and status = 1;
create index deposit_network_position on deposit (network, position desc);
drop index deposit_position;

-- A transaction has a name before it is in a block.
alter table withdrawal drop constraint withdrawal_check2;
alter table withdrawal_notice drop constraint withdrawal_notice_kind_check;
alter table withdrawal_notice add check (kind in ('held', 'finished', 'rejected', 'failed'));
