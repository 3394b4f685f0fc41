-- Chains of the Bitcoin family: the address of each user, and every output that pays to an address of the exchange.

-- A user's place below the extended public key of the network.
create table utxo_address (
  network text not null,
  idx integer not null check (idx >= 0),
  owner uuid not null,
  address text not null,
  -- The script that pays to the address, in hex, as blocks are searched for it.
  script text not null check (script ~ '^[0-9a-f]+$'),
  at bigint not null,
  primary key (network, idx),
  unique (network, owner),
  unique (network, script)
);
create trigger utxo_address_append_only before update or delete or truncate on utxo_address
  for each statement execute function refuse_change();

-- Outputs in blocks that were read. An output that was spent is deleted with the blocks behind which nothing is rolled back.
create table utxo_output (
  network text not null,
  txid text not null,
  vout integer not null check (vout >= 0),
  address text not null,
  holder text not null check (holder in ('user', 'own', 'reserve')),
  -- Derivation index; null for a reserve, whose key is elsewhere.
  idx integer check ((idx is null) = (holder = 'reserve')),
  -- In the smallest unit of the coin.
  units numeric(20, 0) not null check (units > 0),
  block bigint not null,
  -- First block in which it can be spent.
  spendable_from bigint not null,
  is_dust boolean not null,
  -- The block and the transaction that spent it; null while none did.
  spent_block bigint,
  spent_txid text check ((spent_txid is null) = (spent_block is null)),
  primary key (network, txid, vout)
);
create index utxo_output_unspent on utxo_output (network, units) where spent_block is null;
create index utxo_output_block on utxo_output (network, block);
create index utxo_output_spent on utxo_output (network, spent_block) where spent_block is not null;

-- A deposit can need more confirmations than others of its network, by its amount; null if it needs as many as they.
alter table chain_sighting add column confirmations integer check (confirmations > 0);
