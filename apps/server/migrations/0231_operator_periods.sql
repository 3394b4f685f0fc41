-- Periods in which an operator's session confirms routine decisions with the code that opened it.
create table operator_period (
  token_hash bytea primary key references operator_session (token_hash) on delete cascade,
  -- The network address from which it was opened; it confirms nothing from another one.
  address text not null,
  until bigint not null,
  decisions_left integer not null check (decisions_left >= 0),
  -- In USDT.
  value_left numeric(38, 18) not null check (value_left >= 0)
);
