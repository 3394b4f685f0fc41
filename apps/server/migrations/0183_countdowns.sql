-- Countdowns of accounts: at `due_at` the open orders on the pair, or on all pairs for an empty symbol, are cancelled. A row
-- stays when its countdown has ended, so an account has at most one row for each pair and one for all.
create table spot_countdown (
  owner uuid not null,
  symbol text not null,
  due_at bigint,
  sequence bigint not null,
  primary key (owner, symbol)
);
create index spot_countdown_running on spot_countdown (due_at) where due_at is not null;

-- The connection of a program whose end cancels the order; null for other orders.
alter table spot_order_terms add column session_id uuid;
