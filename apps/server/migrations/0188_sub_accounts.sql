-- A sub-account is an owner of balances, orders and keys without a sign-in of its own. Its master never changes; identity,
-- freezes and permissions are the master's.
alter table user_account
  add column master_id uuid references user_account (id),
  drop constraint user_account_check,
  add constraint user_account_kind check (num_nonnulls(email, house_name, master_id) = 1),
  add constraint user_account_master check (master_id is null or password_hash is null);
create index user_account_master on user_account (master_id) where master_id is not null;

-- Names of sub-accounts, written by commands. `id` is that of the row in user_account, which a replay does not have.
create table sub_account (
  id uuid primary key,
  master uuid not null,
  uid text not null,
  name text not null,
  note text not null,
  created_at bigint not null,
  archived_at bigint
);
create index sub_account_master on sub_account (master, id);
create unique index sub_account_name on sub_account (master, lower(name)) where archived_at is null;

-- Transfers between the accounts of one master. `number` is the sequence of the step that made the transfer.
create table sub_account_transfer (
  id uuid primary key,
  number bigint not null unique,
  master uuid not null,
  source uuid not null,
  destination uuid not null,
  asset text not null,
  amount numeric(38, 18) not null check (amount > 0),
  -- The caller's name for the transfer; empty if none was sent.
  client_id text not null,
  at bigint not null,
  check (source <> destination)
);
create index sub_account_transfer_master on sub_account_transfer (master, id desc);
create trigger sub_account_transfer_append_only before update or delete or truncate on sub_account_transfer
  for each statement execute function refuse_change();

-- Transfers to and from sub-accounts are neither profit nor loss of an account, like deposits and withdrawals.
create index ledger_movement_net_deposits on ledger_movement (owner, at)
  where kind in ('faucet.claimed', 'inventory.funded', 'deposit.credited', 'correction.posted', 'withdrawal.sent', 'subaccount.transferred');
drop index ledger_movement_outside;
