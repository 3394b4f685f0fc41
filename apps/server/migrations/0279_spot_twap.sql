-- TWAP orders: an amount that is bought or sold in children, orders that are spread evenly over a time. The row of a
-- running one changes with each child and pause; its children are ordinary orders.
create table spot_twap (
  id uuid primary key,
  owner uuid not null,
  symbol text not null,
  side text not null check (side in ('buy', 'sell')),
  amount numeric(38, 18) not null check (amount > 0),
  minutes integer not null check (minutes > 0),
  children smallint not null check (children between 2 and 100),
  -- How far from the best price a child may trade, as a fraction.
  bound numeric(38, 18) not null check (bound > 0),
  limit_price numeric(38, 18) check (limit_price > 0),
  start_price numeric(38, 18) not null check (start_price > 0),
  next_child smallint not null check (next_child between 0 and children),
  placed smallint not null check (placed between 0 and children),
  filled_amount numeric(38, 18) not null check (filled_amount between 0 and amount),
  filled_total numeric(38, 18) not null,
  fee numeric(38, 18) not null,
  pause text check (pause in ('halted', 'book', 'limit', 'band', 'funds', 'orders', 'account')),
  -- The pauses about which the owner has been notified, separated by spaces.
  notified text not null,
  ending text check (ending in ('filled', 'rest', 'time', 'user')),
  created_at bigint not null,
  updated_at bigint not null,
  check (ending is null or pause is null)
);
-- Ids grow with time, so this index also orders the TWAP orders of an owner by their creation.
create index spot_twap_owner on spot_twap (owner, id desc);
create index spot_twap_open on spot_twap (owner, id desc) where ending is null;

create table spot_twap_child (
  twap uuid not null,
  child smallint not null,
  order_id uuid not null unique,
  primary key (twap, child)
);
create trigger spot_twap_child_append_only before update or delete or truncate on spot_twap_child
  for each statement execute function refuse_change();

-- Messages that wait to be sent: about the pause or the end of a TWAP order, and about the end of a ladder.
create table spot_algo_notice (
  id uuid primary key,
  algo uuid not null,
  kind text not null
);
