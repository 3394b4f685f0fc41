-- Icebergs: limit orders of which the book shows one slice at a time. The slices are ordinary orders; the row of a running
-- iceberg changes with their fills.
create table spot_iceberg (
  id uuid primary key,
  owner uuid not null,
  symbol text not null,
  side text not null check (side in ('buy', 'sell')),
  price numeric(38, 18) not null check (price > 0),
  amount numeric(38, 18) not null check (amount > 0),
  visible numeric(38, 18) not null check (visible > 0),
  post_only boolean not null,
  -- The sum of the placed orders' amounts, and their number.
  placed_amount numeric(38, 18) not null check (placed_amount between 0 and amount),
  placed integer not null check (placed >= 0),
  -- The funds reserved for what is not placed yet, in the coin that the orders hold.
  reserved numeric(38, 18) not null check (reserved >= 0),
  held_asset text not null,
  -- The open slice, and its turn among slices that the same step placed; a slice keeps both until the next one.
  slice uuid,
  slice_turn bigint not null,
  filled_amount numeric(38, 18) not null check (filled_amount between 0 and amount),
  filled_total numeric(38, 18) not null,
  fee numeric(38, 18) not null,
  ending text check (ending in ('filled', 'user', 'selfTrade', 'countdown')),
  created_at bigint not null,
  updated_at bigint not null,
  check (ending is null or reserved = 0)
);
-- Ids grow with time, so this index also orders the icebergs of an owner by their creation.
create index spot_iceberg_owner on spot_iceberg (owner, id desc);
create index spot_iceberg_open on spot_iceberg (owner, id desc) where ending is null;

-- The orders of an iceberg, oldest first.
create table spot_iceberg_slice (
  iceberg uuid not null,
  position integer not null,
  order_id uuid not null unique,
  primary key (iceberg, position)
);
create trigger spot_iceberg_slice_append_only before update or delete or truncate on spot_iceberg_slice
  for each statement execute function refuse_change();
