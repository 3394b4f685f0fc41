-- Keys that may withdraw: only from their addresses, and at most this value in USDT within 24 hours.
alter table api_key add column withdrawal_limit numeric(38, 18) check (withdrawal_limit > 0);
alter table api_key add constraint api_key_withdrawal_addresses
  check (withdrawal_limit is null or cardinality(addresses) > 0);

-- Withdrawals that a program requested: its key, and its name for the withdrawal, which no other one of the account has.
alter table withdrawal add column key_id uuid;
alter table withdrawal add column key_name text;
alter table withdrawal add column order_name text;
create unique index withdrawal_order_name on withdrawal (owner, order_name) where order_name is not null;
create index withdrawal_key on withdrawal (key_id, created_at) where key_id is not null;
