-- Trading grids: limit orders at fixed prices (levels), each of which is followed by an order of the other side at the
-- neighbouring level when it is filled. The orders are ordinary ones; the row of a running grid changes with their fills.
create table spot_grid (
  id uuid primary key,
  owner uuid not null,
  symbol text not null,
  lower_price numeric(38, 18) not null check (lower_price > 0),
  upper_price numeric(38, 18) not null check (upper_price > lower_price),
  levels integer not null check (levels >= 2),
  spacing text not null check (spacing in ('equal', 'ratio')),
  investment numeric(38, 18) not null check (investment > 0),
  slippage numeric(38, 18) not null check (slippage > 0),
  -- The fee rates of all its orders, and the amount of each resting order at the start.
  maker_rate numeric(38, 18) not null,
  taker_rate numeric(38, 18) not null,
  amount numeric(38, 18) not null check (amount > 0),
  -- The middle of the spread at the start, and what was bought at once: net of its fee, and its total.
  start_price numeric(38, 18) not null check (start_price > 0),
  start_base numeric(38, 18) not null check (start_base >= 0),
  start_cost numeric(38, 18) not null check (start_cost >= 0),
  -- The quote coin for the purchases that rested first; with the cost of the purchase at once, all that was invested.
  start_quote numeric(38, 18) not null check (start_quote >= 0),
  -- What the investment would have bought if all of it had been used at once, after the fee.
  all_in_base numeric(38, 18) not null check (all_in_base > 0),
  -- What the grid has now in both coins, also in its open orders, and its fees so far.
  base numeric(38, 18) not null check (base >= 0),
  quote numeric(38, 18) not null check (quote >= 0),
  base_fee numeric(38, 18) not null check (base_fee >= 0),
  quote_fee numeric(38, 18) not null check (quote_fee >= 0),
  -- Completed steps (a purchase and the sale that followed it), and their profit after both fees.
  rounds integer not null check (rounds >= 0),
  round_profit numeric(38, 18) not null,
  placed integer not null check (placed >= 0),
  ending text check (ending in ('user', 'selfTrade', 'countdown', 'rest')),
  -- The price at the end, with which the results of an ended grid are computed.
  end_price numeric(38, 18),
  created_at bigint not null,
  updated_at bigint not null,
  check ((ending is null) = (end_price is null))
);
-- Ids grow with time, so this index also orders the grids of an owner by their creation.
create index spot_grid_owner on spot_grid (owner, id desc);
create index spot_grid_open on spot_grid (owner, id desc) where ending is null;
