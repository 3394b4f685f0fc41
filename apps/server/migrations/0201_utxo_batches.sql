-- Payments on chains of the Bitcoin family: several in one transaction, once a minute.

-- A batch is planned with its inputs and payments before the signer is asked. All its transactions spend the same outputs,
-- so at most one of them is in a block; that ends the batch once it is final. One that the signer refused is deleted.
create table utxo_batch (
  id uuid primary key,
  network text not null,
  -- Fee of the first transaction, in the smallest unit.
  fee numeric(20, 0) not null check (fee >= 0),
  created_at bigint not null,
  -- The final transaction; a batch whose outputs were spent by a transaction that was not signed for it has that one.
  mined_txid text,
  mined_block bigint,
  is_fee_booked boolean not null default false,
  check ((mined_txid is null) = (mined_block is null))
);
create index utxo_batch_open on utxo_batch (network, id) where mined_txid is null;
create index utxo_batch_fee on utxo_batch (network, id) where mined_txid is not null and not is_fee_booked;

-- The outputs that a batch spends, in their order. An output belongs to one batch for ever.
create table utxo_input (
  network text not null,
  txid text not null,
  vout integer not null,
  batch uuid not null references utxo_batch (id) on delete cascade,
  place integer not null,
  units numeric(20, 0) not null check (units > 0),
  branch smallint not null check (branch in (0, 1)),
  idx integer not null check (idx >= 0),
  address text not null,
  primary key (network, txid, vout),
  unique (batch, place)
);

-- The payments of batches, in their order. A payment belongs to one batch for ever.
create table utxo_payment (
  origin text primary key,
  batch uuid not null references utxo_batch (id) on delete cascade,
  place integer not null,
  kind text not null check (kind in ('pay', 'cold')),
  -- Owner of a withdrawal; null for a transfer to the cold wallet.
  owner text check ((owner is null) = (kind = 'cold')),
  address text not null,
  units numeric(20, 0) not null check (units > 0),
  digest text not null,
  approved_by text not null,
  -- Whether the caller has seen that the payment is signed.
  is_known boolean not null default false,
  unique (batch, place)
);
create index utxo_payment_unknown on utxo_payment (batch) where not is_known;

-- Signed transactions of a batch. The first has number 0; later ones pay a higher fee or leave out voided payments.
create table utxo_variant (
  batch uuid not null references utxo_batch (id),
  number integer not null check (number >= 0),
  txid text not null unique,
  raw text not null,
  fee numeric(20, 0) not null check (fee >= 0),
  vbytes integer not null check (vbytes > 0),
  -- Origins of the payments that it does not make.
  without text[] not null,
  -- The newest block and the time at which it was stored, and when a node had it for the first time.
  height bigint not null,
  at bigint not null,
  sent_at bigint,
  primary key (batch, number)
);
