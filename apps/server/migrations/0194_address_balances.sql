-- What deposit addresses hold, as it was read from their chain: coverage adds up totals instead of asking for the balance
-- of every address. An address is read again when a block has touched it since, and otherwise once a day.
create table evm_look (
  network text not null,
  idx integer not null references evm_address (idx),
  -- The newest block with a transfer from or to the address, and the block at which its balances were read; -1 before.
  touched bigint not null,
  read_block bigint not null,
  read_at bigint not null,
  primary key (network, idx)
);
create index evm_look_touched on evm_look (network, idx) where touched > read_block;
create index evm_look_read_at on evm_look (network, read_at);
create index evm_look_read_block on evm_look (network, read_block);
create table evm_balance (
  network text not null,
  idx integer not null references evm_address (idx),
  asset text not null,
  -- In the smallest units of the coin.
  units numeric(78, 0) not null check (units > 0),
  primary key (network, idx, asset)
);
-- Sums over all deposit addresses. A coin whose contract changes is read again on all addresses.
create table evm_balance_total (
  network text not null,
  asset text not null,
  -- Empty for the chain's own coin.
  contract text not null,
  units numeric(90, 0) not null check (units >= 0),
  primary key (network, asset)
);
