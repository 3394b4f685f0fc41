-- Chase orders: a post-only limit order that follows the best price of its side. The order is an ordinary one; the row of a
-- running chase order changes with each change of its price.
create table spot_chase (
  id uuid primary key,
  owner uuid not null,
  symbol text not null,
  side text not null check (side in ('buy', 'sell')),
  amount numeric(38, 18) not null check (amount > 0),
  -- How far from the start price it follows, as a fraction.
  distance numeric(38, 18) not null check (distance > 0),
  limit_price numeric(38, 18) check (limit_price > 0),
  minutes integer not null check (minutes > 0),
  -- The best price of its side at the start, and the worst price of the order.
  start_price numeric(38, 18) not null check (start_price > 0),
  worst_price numeric(38, 18) not null check (worst_price > 0),
  order_id uuid not null unique,
  moves integer not null check (moves >= 0),
  moved_at bigint not null,
  ending text check (ending in ('filled', 'user', 'time', 'selfTrade', 'countdown')),
  created_at bigint not null,
  updated_at bigint not null
);
-- Ids grow with time, so this index also orders the chase orders of an owner by their creation.
create index spot_chase_owner on spot_chase (owner, id desc);
create index spot_chase_open on spot_chase (owner, id desc) where ending is null;
