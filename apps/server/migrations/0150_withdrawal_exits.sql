-- Every state of a withdrawal has an exit: its return to the owner, or its end by a transaction that was paid by hand.

alter table withdrawal
  -- HMAC of what the owner confirmed; null for withdrawals from before it existed.
  add column digest text check (digest ~ '^[0-9a-f]{64}$'),
  -- The exit that two operators chose for an approved withdrawal: it is not sent any more, and ends when it is certain
  -- that its own transaction cannot be mined.
  add column exit_kind text check (exit_kind in ('return', 'paid')),
  add column exit_reason text,
  -- The transaction that was paid by hand, or that used the nonce of a returned withdrawal.
  add column exit_txid text,
  add column exit_by text,
  add column exit_at bigint,
  -- When it was certain that the withdrawal's own transaction cannot be mined; only then it may be paid by hand.
  add column exit_ready_at bigint check (exit_ready_at is null or exit_at is not null),
  add check ((exit_kind is null) = (exit_by is null) and (exit_kind is null) = (exit_at is null)),
  add check ((exit_kind is not distinct from 'return') = (exit_reason is not null));

-- 6 returned
alter table withdrawal drop constraint withdrawal_status_check;
alter table withdrawal add constraint withdrawal_status_check check (status between 0 and 6);
alter table withdrawal drop constraint withdrawal_reason_check;
alter table withdrawal add constraint withdrawal_reason_check check (reason in (
  'wrongAddress', 'networkPaused', 'networkRefused', 'hold', 'limit', 'sanctions', 'ownerFreeze', 'duplicate', 'userRequest'
));
alter table withdrawal drop constraint withdrawal_check4;
alter table withdrawal add constraint withdrawal_reason_of_end check ((status in (2, 6)) = (reason is not null));

-- A transaction ends one withdrawal.
create index withdrawal_txid on withdrawal (lower(txid)) where txid is not null;
create unique index withdrawal_exit_txid on withdrawal (network, lower(exit_txid))
  where exit_txid is not null and status in (1, 3);

-- What the owner confirmed never changes.
create function refuse_other_withdrawal() returns trigger language plpgsql as $$
begin
  if (new.id, new.owner, new.asset, new.network, new.address, new.memo, new.amount, new.fee, new.digest) is distinct from
    (old.id, old.owner, old.asset, old.network, old.address, old.memo, old.amount, old.fee, old.digest)
  then raise exception 'the fields of withdrawal % that its owner confirmed never change', old.id;
  end if;
  return new;
end
$$;
create trigger withdrawal_confirmed_fields
  before update of id, owner, asset, network, address, memo, amount, fee, digest on withdrawal
  for each row execute function refuse_other_withdrawal();

alter table withdrawal_notice drop constraint withdrawal_notice_kind_check;
alter table withdrawal_notice add constraint withdrawal_notice_kind_check
  check (kind in ('held', 'finished', 'rejected', 'failed', 'returned'));

-- When the signer was asked last, the newest block when it answered, and when a node had the transaction for the first
-- time. Without `raw`, `signing_at` says that the answer of the signer is not known.
alter table chain_sending
  add column signing_at bigint,
  add column signed_height bigint,
  add column sent_at bigint;
-- Whether the signer was asked for these is not known, so it is asked what it signed.
update chain_sending set signing_at = asked_at where raw is null;
create index chain_sending_unanswered on chain_sending (origin) where raw is null and signing_at is not null;

-- Further transactions that were signed for a sending, with the same nonce: the same payment with higher fees, or a
-- transfer of nothing that voids it. The first of all that is mined ends the sending. Each is here before a node gets it.
create table chain_variant (
  origin text not null references chain_sending (origin),
  number integer not null check (number > 0),
  is_void boolean not null,
  txid text not null unique,
  raw text not null,
  -- The newest block and the time at which it was stored.
  height bigint not null,
  at bigint not null,
  primary key (origin, number)
);
create trigger chain_variant_append_only before update or delete or truncate on chain_variant
  for each statement execute function refuse_change();

-- Origins under which nothing is signed any more.
create table chain_void (
  origin text primary key,
  at bigint not null
);
create trigger chain_void_append_only before update or delete or truncate on chain_void
  for each statement execute function refuse_change();
