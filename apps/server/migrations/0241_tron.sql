-- TRON: an address per user, and what the exchange's own addresses hold of the tokens that are read.

-- An index below the extended public key belongs to one user for ever.
create table tron_address (
  idx integer primary key check (idx >= 0),
  owner text not null unique,
  address text not null unique,
  at bigint not null
);
create trigger tron_address_append_only before update or delete or truncate on tron_address
  for each statement execute function refuse_change();

-- Changes of what all own addresses hold together, in the smallest units, by block; blocks that no report asks for any more are
-- added up in the row of block -1.
create table tron_flow (
  block bigint not null,
  asset text not null,
  units numeric(78, 0) not null,
  primary key (asset, block)
);
