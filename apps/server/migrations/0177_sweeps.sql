-- Coins that may lie on a deposit address: an arrival adds the row, and a look at an empty balance removes it.
create table evm_holding (
  network text not null,
  idx integer not null references evm_address (idx),
  asset text not null,
  -- Block of the newest arrival.
  block bigint not null,
  -- When the balance is looked at the next time; 0 since the newest arrival.
  due_at bigint not null,
  primary key (network, idx, asset)
);
create index evm_holding_due on evm_holding (network, due_at);
insert into evm_holding (network, idx, asset, block, due_at)
  select network, idx, asset, max(block), 0
  from chain_sighting join evm_address on evm_address.address = chain_sighting.address
  where not is_gone group by network, idx, asset;

-- Deposit addresses pay too, each with nonces of its own.
alter table chain_sending add column from_index integer check (from_index >= 0);
alter table chain_sending drop constraint chain_sending_network_nonce_key;
create unique index chain_sending_nonce on chain_sending (network, coalesce(from_index, -1), nonce);
drop index chain_sending_fee;
create index chain_sending_fee on chain_sending (network, nonce)
  where txid is not null and not is_fee_booked and from_index is null;
create index chain_sending_sweep_fee on chain_sending (network, signing_at)
  where txid is not null and not is_fee_booked and from_index is not null;

-- Transfers of coins from deposit addresses into the hot wallet of their network. They post nothing, since both are the
-- exchange's. A sweep goes from planned to funded where its address first gets gas, is signed, sent, and confirmed or failed;
-- one that was never signed can be dropped.
create table treasury_sweep (
  id uuid primary key,
  network text not null,
  asset text not null,
  -- The deposit address and its derivation index.
  address_index integer not null check (address_index >= 0),
  address text not null,
  destination text not null,
  -- In units of the asset.
  amount numeric(38, 18) not null check (amount > 0),
  -- Gas that is reserved, and the greatest fee in wei per unit of gas that it lasts for.
  gas_limit bigint not null check (gas_limit > 0),
  most_fee numeric(30, 0) not null check (most_fee > 0),
  -- What the hot wallet sends to the address for gas first, in the chain's coin; null if the address has enough.
  gas numeric(38, 18) check (gas > 0),
  state text not null check (state in ('planned', 'funded', 'signed', 'sent', 'confirmed', 'failed', 'dropped')),
  created_at bigint not null,
  -- The transactions that brought gas, and that moved the coins.
  gas_txid text,
  txid text,
  block bigint,
  -- Booked network fees of both, in the chain's coin.
  fee numeric(38, 18) not null default 0,
  -- Why it failed or was dropped.
  reason text,
  closed_at bigint check ((closed_at is null) = (state in ('planned', 'funded', 'signed', 'sent')))
);
-- One at a time per address, since its nonces are in a row and the chain's coin pays for the tokens' gas.
create unique index treasury_sweep_open on treasury_sweep (network, address_index) where closed_at is null;
create index treasury_sweep_newest on treasury_sweep (id desc) where closed_at is not null;
create index treasury_sweep_closed on treasury_sweep (network, closed_at) where closed_at is not null;
create index treasury_sweep_coin on treasury_sweep (network, address_index, asset, id desc);

-- What was planned never changes.
create function refuse_other_sweep() returns trigger language plpgsql as $$
begin
  if (new.id, new.network, new.asset, new.address_index, new.address, new.destination, new.amount, new.gas_limit,
      new.most_fee, new.gas, new.created_at) is distinct from
    (old.id, old.network, old.asset, old.address_index, old.address, old.destination, old.amount, old.gas_limit,
      old.most_fee, old.gas, old.created_at)
  then raise exception 'what was planned of sweep % never changes', old.id;
  end if;
  return new;
end
$$;
create trigger treasury_sweep_planned_fields before update on treasury_sweep
  for each row execute function refuse_other_sweep();

-- Networks on which nothing is swept until an operator resumes it. Sweeps that were signed are followed.
create table treasury_sweep_pause (
  id uuid primary key,
  network text not null,
  since bigint not null,
  paused_by text not null,
  reason text not null,
  resumed_at bigint,
  resumed_by text check ((resumed_by is null) = (resumed_at is null)),
  resume_reason text check ((resume_reason is null) = (resumed_at is null))
);
create unique index treasury_sweep_pause_open on treasury_sweep_pause (network) where resumed_at is null;
