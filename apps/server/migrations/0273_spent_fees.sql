-- Network fees of final transactions that were paid in a coin which the exchange does not list, such as BNB. They are on no
-- books; operators see what was spent.
create table chain_spent_fee (
  origin text primary key references chain_sending (origin),
  network text not null,
  amount numeric(38, 18) not null check (amount > 0),
  at bigint not null
);
create index chain_spent_fee_time on chain_spent_fee (network, at);
