-- Deposits: the pretended networks of a demo, addresses, and what came in to them.

-- What was sent on a pretended network, to whomever; `position` follows the order of commits.
create table chain_transfer (
  position bigint generated always as identity primary key,
  txid text not null unique,
  network text not null,
  asset text not null,
  address text not null,
  memo text,
  amount numeric(38, 18) not null check (amount > 0),
  -- The sender's own name for it: sent once, however often it is asked for.
  origin text not null unique,
  remark text,
  block bigint not null
);
create trigger chain_transfer_append_only before update or delete or truncate on chain_transfer
  for each statement execute function refuse_change();

-- Whose an address is. Where a network has memos, everybody's address is the same and the memo tells.
create table deposit_address (
  owner uuid not null,
  network text not null,
  address text not null,
  memo text,
  at bigint not null,
  primary key (owner, network)
);
create unique index deposit_address_whose on deposit_address (network, address, coalesce(memo, ''));

create table deposit (
  id uuid primary key,
  owner uuid not null,
  asset text not null,
  network text not null,
  address text not null,
  memo text,
  txid text not null,
  -- Which of a transaction's payments.
  output integer not null,
  amount numeric(38, 18) not null check (amount > 0),
  remark text,
  -- Where the channel's own count of transfers stood; a start goes on from there.
  position bigint not null,
  block bigint not null,
  confirmations integer not null check (confirmations > 0),
  -- 0 pending, 1 finished, 2 rejected
  status smallint not null default 0 check (status in (0, 1, 2)),
  -- Confirmed but, with what else waits, less than the least that is credited.
  is_small boolean not null default false,
  created_at bigint not null,
  finished_at bigint check ((finished_at is null) = (status = 0)),
  unique (network, txid, output, asset)
) with (fillfactor = 70);
create index deposit_owner on deposit (owner, id desc);
create index deposit_pending on deposit (network, block) where status = 0 and not is_small;
create index deposit_small on deposit (owner, network, asset) where status = 0 and is_small;
create index deposit_position on deposit (position desc);

-- What an owner is still to be told; removed with the message's transaction.
create table deposit_notice (
  id uuid primary key,
  deposit uuid not null references deposit (id)
);
