-- What coins cost follows everything that comes and leaves, in the order of the ledger's entries, and no longer trades alone.
-- It is counted again from the statement, in bounded steps, when its owner next asks.
delete from portfolio_cost;
-- Coins that came without a cost.
alter table portfolio_cost add column uncosted numeric(38, 18) not null check (uncosted >= 0);
drop table portfolio_cost_position;
-- The last entry that is counted.
create table portfolio_cost_position (
  owner uuid primary key,
  entry bigint not null check (entry >= 0)
);
