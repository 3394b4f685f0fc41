-- The operator who works on a row of a queue; a claim lapses by itself.
create table operator_claim (
  queue text not null,
  record uuid not null,
  operator text not null references operator (name),
  until bigint not null,
  primary key (queue, record)
);
create index operator_claim_lapsed on operator_claim (until);

-- Deposits of an account that were credited lately, for withdrawals that follow them within a day.
create index deposit_credited on deposit (owner, finished_at) where status = 1;
