-- What was paid according to the signer and the chain when a restored database was compared with them.
create table restore_comparison (
  -- The backup, as the setting `restored_from` names it.
  restored_from text primary key,
  at bigint not null,
  paid_known integer not null check (paid_known >= 0),
  paid_unknown integer not null check (paid_unknown >= 0),
  not_paid integer not null check (not_paid >= 0)
);
-- Payments that left the wallet and that the restored database does not count as sent. Sending stays paused until each
-- is settled by two persons.
create table restored_payment (
  id text primary key,
  restored_from text not null,
  asset text not null,
  amount text not null,
  address text not null,
  txid text not null,
  -- The state of the withdrawal in the restored database; null when it has none.
  withdrawal_status smallint,
  settled_at bigint,
  settled_by text check ((settled_by is null) = (settled_at is null)),
  settlement text check ((settlement is null) = (settled_at is null))
);
create index restored_payment_open on restored_payment (restored_from, id) where settled_at is null;
