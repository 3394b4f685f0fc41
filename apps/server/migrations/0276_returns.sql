-- Arrivals that the signer sends back to their sender. While a return is on its way, its arrival cannot be decided in another way.
alter table treasury_arrival drop constraint treasury_arrival_state_check;
alter table treasury_arrival add constraint treasury_arrival_state_check
  check (state in ('open', 'credited', 'assigned', 'returning', 'returned', 'dismissed', 'internal'));

create table treasury_return (
  id uuid primary key,
  arrival uuid not null references treasury_arrival (id),
  -- The name of the payment at the signer: from the identity of the arrival and the number of the attempt, so that a database
  -- that was restored gives the same payment the same name.
  reference text not null unique,
  network text not null,
  asset text not null,
  address text not null,
  memo text,
  -- What is sent and what the exchange keeps for the network's fee, in the coin; together the amount of the arrival.
  amount numeric(38, 18) not null check (amount > 0),
  fee numeric(38, 18) not null check (fee >= 0),
  -- Whether the network names this address as the sender; otherwise an operator typed it.
  is_from_chain boolean not null,
  state text not null check (state in ('approved', 'cancelling', 'done', 'failed', 'cancelled')),
  approved_at bigint not null,
  approved_by text not null,
  reason text not null,
  -- HMAC of what was approved.
  digest text not null,
  cancelled_by text,
  cancel_reason text check ((cancel_reason is null) = (cancelled_by is null)),
  -- A transaction that used the nonce of the payment without being signed for it.
  used_by text check (used_by is null or cancelled_by is not null),
  txid text,
  block bigint,
  closed_at bigint check ((closed_at is null) = (state in ('approved', 'cancelling'))),
  check (state <> 'done' or txid is not null)
);
create unique index treasury_return_open on treasury_return (arrival) where closed_at is null;
create index treasury_return_arrival on treasury_return (arrival, id desc);
create index treasury_return_newest on treasury_return (id desc) where closed_at is not null;

-- What was approved never changes.
create function refuse_other_return() returns trigger language plpgsql as $$
begin
  if (new.id, new.arrival, new.reference, new.network, new.asset, new.address, new.memo, new.amount, new.fee,
      new.is_from_chain, new.approved_at, new.approved_by, new.digest) is distinct from
    (old.id, old.arrival, old.reference, old.network, old.asset, old.address, old.memo, old.amount, old.fee,
      old.is_from_chain, old.approved_at, old.approved_by, old.digest)
  then raise exception 'what was approved of return % never changes', old.id;
  end if;
  return new;
end
$$;
create trigger treasury_return_approved_fields before update on treasury_return
  for each row execute function refuse_other_return();
