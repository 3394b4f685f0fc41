-- What the coins that somebody bought by trading cost, derived from their trades; it can be made again from them.
create table portfolio_cost (
  owner uuid not null,
  asset text not null,
  amount numeric(38, 18) not null check (amount >= 0),
  cost numeric(38, 18) not null check (cost >= 0),
  realized numeric(38, 18) not null,
  primary key (owner, asset)
);
-- The last trade that is counted.
create table portfolio_cost_position (
  owner uuid primary key,
  at bigint not null,
  sequence bigint not null
);
