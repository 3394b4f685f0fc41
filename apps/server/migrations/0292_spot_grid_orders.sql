-- The orders that a grid has placed, oldest first. Position 0 is the purchase at the start, if there was one.
create table spot_grid_order (
  grid uuid not null,
  position integer not null,
  order_id uuid not null unique,
  primary key (grid, position)
);
create trigger spot_grid_order_append_only before update or delete or truncate on spot_grid_order
  for each statement execute function refuse_change();
