-- Who paid a transfer, and whether the exchange paid it to itself: such transfers change nothing on the books.
alter table chain_sighting
  add column sender text,
  add column is_internal boolean not null default false;

alter table treasury_arrival add column sender text;
alter table treasury_arrival drop constraint treasury_arrival_state_check;
alter table treasury_arrival add constraint treasury_arrival_state_check
  check (state in ('open', 'credited', 'assigned', 'returned', 'dismissed', 'internal'));
create index treasury_arrival_internal on treasury_arrival (network, asset, created_at) where state = 'internal';

-- Transfers between the hot wallet and the cold wallet: a refill that people send from the cold wallet, or a surplus that
-- the signer sends to it after two operators approved it.
create table treasury_transfer (
  id uuid primary key,
  kind text not null check (kind in ('refill', 'surplus')),
  network text not null,
  asset text not null,
  -- What should be moved, in the coin, when the transfer was requested.
  amount numeric(38, 18) not null check (amount > 0),
  source text not null,
  destination text not null,
  state text not null
    check (state in ('open', 'approved', 'cancelling', 'done', 'unneeded', 'cancelled', 'failed')),
  created_at bigint not null,
  -- Of a surplus: who approved it, and the HMAC of what they approved.
  approved_at bigint,
  approved_by text check ((approved_by is null) = (approved_at is null)),
  reason text check ((reason is null) = (approved_at is null)),
  digest text check ((digest is null) = (approved_at is null)),
  cancelled_by text,
  cancel_reason text check ((cancel_reason is null) = (cancelled_by is null)),
  -- The transaction of the surplus, or the last one of a refill.
  txid text,
  block bigint,
  -- What arrived in the hot wallet for a refill.
  received numeric(38, 18),
  closed_at bigint check ((closed_at is null) = (state in ('open', 'approved', 'cancelling'))),
  check (kind = 'surplus' or state in ('open', 'done', 'unneeded'))
);
create unique index treasury_transfer_open on treasury_transfer (kind, network, asset) where closed_at is null;
create index treasury_transfer_newest on treasury_transfer (id desc) where closed_at is not null;

-- What was requested and approved never changes.
create function refuse_other_transfer() returns trigger language plpgsql as $$
begin
  if (new.id, new.kind, new.network, new.asset, new.amount, new.source, new.destination) is distinct from
    (old.id, old.kind, old.network, old.asset, old.amount, old.source, old.destination)
    or (old.digest is not null and new.digest is distinct from old.digest)
  then raise exception 'what was approved of transfer % never changes', old.id;
  end if;
  return new;
end
$$;
create trigger treasury_transfer_approved_fields before update on treasury_transfer
  for each row execute function refuse_other_transfer();
