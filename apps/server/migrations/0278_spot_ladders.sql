-- Scaled ladders: limit orders of one side, spread between two prices and placed together. A ladder is stored
-- once; its progress is that of its orders.
create table spot_ladder (
  id uuid primary key,
  owner uuid not null,
  symbol text not null,
  side text not null check (side in ('buy', 'sell')),
  from_price numeric(38, 18) not null check (from_price > 0),
  to_price numeric(38, 18) not null check (to_price > 0),
  amount numeric(38, 18) not null check (amount > 0),
  sizes text not null check (sizes in ('equal', 'rising')),
  orders smallint not null check (orders between 2 and 50),
  created_at bigint not null
);
-- Ids grow with time, so this index also orders the ladders of an owner by their creation.
create index spot_ladder_owner on spot_ladder (owner, id desc);
create trigger spot_ladder_append_only before update or delete or truncate on spot_ladder
  for each statement execute function refuse_change();

-- The orders of a ladder, from its first price to its last.
create table spot_ladder_order (
  ladder uuid not null,
  position smallint not null,
  order_id uuid not null unique,
  primary key (ladder, position)
);
create trigger spot_ladder_order_append_only before update or delete or truncate on spot_ladder_order
  for each statement execute function refuse_change();
