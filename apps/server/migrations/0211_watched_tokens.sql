-- Contracts of tokens that are not listed, whose transfers to addresses of the exchange are shown to operators.
create table chain_watched_token (
  network text not null,
  -- Lower case.
  contract text not null check (contract = lower(contract)),
  -- What the contract said about itself when it was allowed; anybody can deploy a contract with any name.
  name text not null,
  symbol text not null,
  digits integer not null check (digits between 0 and 18),
  -- Smaller transfers are only counted.
  least numeric(38, 18) not null check (least > 0),
  allowed_at bigint not null,
  allowed_by text not null,
  reason text not null,
  ended_at bigint,
  ended_by text,
  -- Day since 1970 of the last transfer, with how many were shown on that day.
  day integer not null default 0,
  shown_on_day integer not null default 0,
  -- Transfers that were not shown because they were too small, too large, or too many on a day.
  not_shown bigint not null default 0,
  primary key (network, contract)
);
