-- The XRP Ledger: one account of the exchange, and a destination tag for each user.

-- A tag belongs to one user for ever.
create table xrp_tag (
  tag bigint primary key check (tag between 1 and 4294967295),
  owner text not null unique,
  at bigint not null
);
create trigger xrp_tag_append_only before update or delete or truncate on xrp_tag
  for each statement execute function refuse_change();

-- Transactions of the exchange's account in validated ledgers, with what they did: each has used its sequence number.
create table xrp_outcome (
  sequence bigint primary key,
  txid text not null unique,
  block bigint not null,
  -- `tesSUCCESS`, or the code of a failure that only costs the fee.
  result text not null,
  -- Drops.
  fee numeric(17, 0) not null check (fee >= 0)
);
create trigger xrp_outcome_append_only before update or delete or truncate on xrp_outcome
  for each statement execute function refuse_change();

-- Withdrawals to the exchange's own account, which cannot pay itself on the ledger: they arrive without a transaction.
create table xrp_internal (
  origin text primary key,
  txid text not null unique,
  address text not null,
  tag text,
  amount numeric(38, 18) not null check (amount > 0),
  block bigint not null
);
create trigger xrp_internal_append_only before update or delete or truncate on xrp_internal
  for each statement execute function refuse_change();

-- What names the user on a network with one address for all, and what people should know about a payment.
alter table chain_sighting
  add column memo text,
  add column remark text;
