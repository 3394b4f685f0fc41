-- Transfers that reached the exchange and belong to no deposit address of a user: seen on a chain or registered by an
-- operator. Each is decided once: credited to a user, assigned to a house account, returned to its sender, or dismissed.
create table treasury_arrival (
  id uuid primary key,
  network text not null,
  -- Code of a coin, or the contract of a token that is not listed.
  asset text not null,
  txid text not null,
  -- Index of the payment within its transaction.
  output integer not null check (output >= 0),
  address text not null,
  memo text,
  amount numeric(38, 18) not null check (amount > 0),
  remark text,
  -- Position and block on the channel; both 0 for what an operator registered.
  position bigint not null,
  block bigint not null,
  registered_by text,
  state text not null check (state in ('open', 'credited', 'assigned', 'returned', 'dismissed')),
  created_at bigint not null,
  -- When its network dropped the transfer.
  gone_at bigint,
  decided_at bigint check ((decided_at is null) = (state = 'open')),
  decided_by text,
  reason text,
  owner uuid check ((owner is not null) = (state = 'credited')),
  account text check ((account is not null) = (state = 'assigned')),
  return_txid text check ((return_txid is not null) = (state = 'returned')),
  unique (network, txid, output, asset)
);
create index treasury_arrival_open on treasury_arrival (id) where state = 'open';

-- Payments of the exchange's own money to the outside: capital or fees that leave, and network fees of payments.
create table treasury_payment (
  id uuid primary key,
  kind text not null check (kind in ('paid', 'gas')),
  network text not null,
  asset text not null,
  txid text not null,
  output integer not null check (output >= 0),
  account text not null,
  amount numeric(38, 18) not null check (amount > 0),
  made_by text not null,
  reason text not null,
  at bigint not null,
  unique (kind, network, txid, output, asset)
);

-- Corrections between a user and a house account. A case justifies the same correction only once.
create table treasury_correction (
  id uuid primary key,
  case_ref text not null,
  owner uuid not null,
  is_credit boolean not null,
  account text not null,
  asset text not null,
  amount numeric(38, 18) not null check (amount > 0),
  made_by text not null,
  reason text not null,
  at bigint not null,
  unique (case_ref, owner, is_credit, asset, amount)
);

-- What users owe: a correction above their balance, or a credited deposit that its network dropped.
create table treasury_debt (
  id uuid primary key,
  owner uuid not null,
  asset text not null,
  amount numeric(38, 18) not null check (amount > 0),
  paid numeric(38, 18) not null check (paid >= 0 and paid <= amount),
  cause text not null check (cause in ('correction', 'deposit')),
  -- The correction or the deposit.
  reference uuid not null,
  -- Ledger account to which payments go.
  account text not null,
  outcome text check (outcome in ('paid', 'writtenOff', 'cancelled')),
  created_at bigint not null,
  closed_at bigint check ((closed_at is null) = (outcome is null)),
  closed_by text,
  reason text not null,
  check (outcome is distinct from 'paid' or paid = amount)
);
-- A deposit can vanish again after its debt was cancelled.
create unique index treasury_debt_reference on treasury_debt (reference) where outcome is distinct from 'cancelled';
create index treasury_debt_open on treasury_debt (owner, asset, id) where closed_at is null;
create index treasury_debt_owner on treasury_debt (owner, id desc);

-- Coins whose holdings do not cover what users own: nothing of them is sent, and large deposits wait.
create table treasury_pause (
  id uuid primary key,
  asset text not null,
  -- Difference between what is owed and what is held when the pause began, in the coin.
  missing numeric(38, 18) not null check (missing > 0),
  since bigint not null,
  -- The shortage that the persons who lifted the pause accepted; for a day only a greater one pauses again.
  accepted numeric(38, 18) check ((accepted is null) = (lifted_at is null)),
  lifted_at bigint,
  lifted_by text check ((lifted_by is null) = (lifted_at is null)),
  reason text check ((reason is null) = (lifted_at is null))
);
create unique index treasury_pause_open on treasury_pause (asset) where lifted_at is null;
create index treasury_pause_asset on treasury_pause (asset, id desc);

-- A debt was raised for the credited deposit because its network dropped it.
alter table deposit add column is_claimed boolean not null default false;
create index deposit_claimed_back on deposit (id) where is_claimed and gone_at is null;

-- Whether the network fee of a payment is booked.
alter table chain_sending add column is_fee_booked boolean not null default false;
create index chain_sending_fee on chain_sending (network, nonce) where txid is not null and not is_fee_booked;
