-- Deposits that a person reports with a proof, where a network's channel is reviewed by hand.
create table deposit_proof (
  id uuid primary key,
  owner uuid not null references user_account (id),
  request_key text,
  asset text not null,
  network text not null,
  -- The house's address that it was sent to.
  address text not null,
  amount numeric(38, 18) not null check (amount > 0),
  remark text not null check (length(remark) <= 100),
  picture uuid not null,
  -- 0 pending, 1 credited, 2 rejected, 3 cancelled by its owner
  status smallint not null default 0 check (status in (0, 1, 2, 3)),
  reason text check ((reason is not null) = (status = 2)),
  -- What really came.
  credited numeric(38, 18) check ((credited is not null) = (status = 1)),
  created_at bigint not null,
  decided_at bigint check ((decided_at is null) = (status = 0)),
  decided_by text,
  unique (owner, request_key)
) with (fillfactor = 80);
create index deposit_proof_owner on deposit_proof (owner, id desc);
create index deposit_proof_pending on deposit_proof (id) where status = 0;
