-- Prices outside of its range at which a grid ends by itself, and whether it then sells its coins; and what the sale at
-- the end, also one that its owner chose when cancelling it, sold and received after fees. The constants that fill the
-- rows of existing grids are stored in the catalogue, so no row is rewritten.
alter table spot_grid
  add column stop_loss numeric(38, 18) check (stop_loss > 0 and stop_loss < lower_price),
  add column take_profit numeric(38, 18) check (take_profit > upper_price),
  add column sells_at_end boolean not null default false,
  add column sold_base numeric(38, 18) not null default 0 check (sold_base >= 0),
  add column sold_quote numeric(38, 18) not null default 0 check (sold_quote >= 0),
  drop constraint spot_grid_ending_check,
  add constraint spot_grid_ending_check
    check (ending in ('user', 'selfTrade', 'countdown', 'rest', 'stopLoss', 'takeProfit'));
