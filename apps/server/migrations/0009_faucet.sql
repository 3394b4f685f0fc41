-- Play money: when each user last took a starting balance from the demo market's faucet.
create table faucet_claim (
  owner uuid primary key,
  claimed_at bigint not null
);
