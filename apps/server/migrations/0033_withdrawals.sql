-- Withdrawals and the address book.

create table withdrawal_address (
  id uuid primary key,
  owner uuid not null,
  asset text not null,
  network text not null,
  address text not null,
  memo text,
  remark text,
  active_at bigint not null,
  created_at bigint not null,
  removed_at bigint
) with (fillfactor = 70);
create unique index withdrawal_address_once on withdrawal_address (owner, asset, network, address, coalesce(memo, ''))
  where removed_at is null;
create index withdrawal_address_owner on withdrawal_address (owner, id desc) where removed_at is null;

-- Whether somebody withdraws to the address book only; `off_at`: when that ends.
create table withdrawal_whitelist (
  owner uuid primary key,
  off_at bigint
);

create table withdrawal (
  id uuid primary key,
  owner uuid not null,
  asset text not null,
  network text not null,
  address text not null,
  memo text,
  amount numeric(38, 18) not null check (amount > 0),
  fee numeric(38, 18) not null check (fee >= 0 and fee < amount),
  -- In USDT at the index when it was asked for; what the limits count.
  value numeric(38, 18) not null check (value >= 0),
  remark text,
  -- Goes out by itself after a short while in which it can be cancelled.
  is_auto boolean not null,
  -- 0 pending, 1 finished, 2 rejected, 3 processing, 4 failed, 5 cancelled
  status smallint not null default 0 check (status between 0 and 5),
  reason text check (reason in ('wrongAddress', 'networkPaused', 'hold', 'limit', 'sanctions', 'ownerFreeze', 'duplicate', 'userRequest')),
  txid text,
  block bigint,
  confirmations integer not null check (confirmations > 0),
  decided_by text,
  created_at bigint not null,
  finished_at bigint check ((finished_at is null) = (status in (0, 3))),
  check ((txid is null) = (block is null)),
  check (status <> 1 or txid is not null),
  check ((status = 2) = (reason is not null))
) with (fillfactor = 70);
create index withdrawal_owner on withdrawal (owner, id desc);
create index withdrawal_limit on withdrawal (owner, created_at) where status in (0, 1, 3);
create index withdrawal_open on withdrawal (created_at, id) where status in (0, 3);
create index withdrawal_finished on withdrawal (finished_at) where status = 1;

create table withdrawal_notice (
  id uuid primary key,
  withdrawal uuid not null references withdrawal (id),
  kind text not null check (kind in ('held', 'finished', 'rejected'))
);
