-- What somebody had in all accounts when a day of UTC had ended, in USDT; `day` counts days since 1970-01-01.
create table portfolio_value (
  owner uuid not null,
  day integer not null,
  total numeric(38, 8) not null,
  primary key (owner, day)
);
create index portfolio_value_day on portfolio_value (day);
