-- Payments on TRON. Its transactions have no sequence numbers; each has an end, and the same payment is signed again only when the
-- blocks up to that end were read without it.

-- The first block whose transactions were read, and the time of the newest one. Blocks in between were read without a gap.
create table tron_reading (
  is_only boolean primary key default true check (is_only),
  first_block bigint not null,
  last_block bigint not null,
  -- Milliseconds UTC.
  last_time bigint not null check (last_time >= 0)
);

-- Signed transactions of payments, oldest first by `number`.
create table tron_signed (
  txid text primary key,
  origin text not null references chain_sending (origin),
  number integer not null check (number >= 0),
  -- The block that the transaction names: no earlier one can contain it.
  ref_block bigint not null,
  -- Milliseconds UTC; no later block can contain the transaction.
  expiration bigint not null,
  -- Sun, 10^-6 TRX.
  fee_limit numeric(20, 0) not null check (fee_limit >= 0),
  unique (origin, number)
);
create trigger tron_signed_append_only before update or delete or truncate on tron_signed
  for each statement execute function refuse_change();

-- Transactions of the exchange's own accounts in solidified blocks, whoever signed them.
create table tron_outcome (
  txid text primary key,
  -- The paying account in base 58.
  owner text not null,
  block bigint not null,
  -- Time of the block in milliseconds UTC.
  at bigint not null,
  -- `SUCCESS`, `NO_TRANSFER`, or the network's word for a failure.
  result text not null,
  -- Burnt sun.
  fee numeric(20, 0) not null check (fee >= 0)
);
create index tron_outcome_at on tron_outcome (at);
create trigger tron_outcome_append_only before update or delete or truncate on tron_outcome
  for each statement execute function refuse_change();

-- Tokens that may lie on a deposit address: an arrival adds the row, and a look at an empty balance removes it.
create table tron_holding (
  idx integer not null references tron_address (idx),
  asset text not null,
  -- Block of the newest arrival.
  block bigint not null,
  -- When the balance is looked at the next time; 0 since the newest arrival.
  due_at bigint not null,
  primary key (idx, asset)
);
create index tron_holding_due on tron_holding (due_at);
insert into tron_holding (idx, asset, block, due_at)
  select idx, asset, max(block), 0
  from chain_sighting join tron_address on tron_address.address = chain_sighting.address
  where network = 'TRC20' and not is_gone group by idx, asset;
