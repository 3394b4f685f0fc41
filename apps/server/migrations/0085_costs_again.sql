-- The fee of a trade of two coins was counted twice. What the coins cost is counted again from the trades.
delete from portfolio_cost;
delete from portfolio_cost_position;
