-- The open orders of a grid: one for each pair of neighbouring levels, named by the lower one.
create table spot_grid_level (
  grid uuid not null,
  level integer not null,
  -- Null when the order was cancelled or could not be followed by another one.
  order_id uuid,
  -- The order's turn among those that the same step placed for grids. It keeps orders of one price in their sequence.
  turn bigint not null,
  -- For a sale after a purchase: what the purchase has cost and delivered after its fee. Null for the first sales.
  cost numeric(38, 18),
  bought numeric(38, 18),
  primary key (grid, level),
  check ((cost is null) = (bought is null))
);
