-- Who may use the operator's port.
create table operator (
  name text primary key check (name ~ '^[a-z][a-z0-9.-]{1,29}$'),
  roles text[] not null check (cardinality(roles) > 0),
  password_hash text,
  -- The authenticator's key, encrypted; none in a demo's ready accounts.
  totp bytea,
  -- The time step of the last code that was accepted.
  totp_step bigint,
  -- Of the one-time code by which its owner sets password and authenticator.
  set_up_hash bytea,
  set_up_until bigint,
  -- The first sign-in.
  confirmed_at bigint,
  is_disabled boolean not null default false,
  created_at bigint not null
);
create unique index operator_set_up on operator (set_up_hash) where set_up_hash is not null;

create table operator_session (
  token_hash bytea primary key check (length(token_hash) = 32),
  operator text not null references operator (name),
  created_at bigint not null,
  used_at bigint not null
) with (fillfactor = 70);
create index operator_session_operator on operator_session (operator);

-- Calls that wait for a second person, exactly as they were sent.
create table operator_proposal (
  id uuid primary key,
  operator text not null references operator (name),
  operation text not null,
  parameters text not null,
  fields text not null,
  reason text not null,
  state text not null check (state in ('open', 'running', 'done', 'failed', 'rejected', 'expired', 'interrupted')),
  created_at bigint not null,
  expires_at bigint not null,
  decided_by text references operator (name) check (decided_by <> operator or state = 'rejected'),
  decided_at bigint,
  result text
);
create unique index operator_proposal_once on operator_proposal (operator, operation, md5(parameters), md5(fields))
  where state = 'open';
create index operator_proposal_waiting on operator_proposal (created_at) where state in ('open', 'running');
create index operator_proposal_created on operator_proposal (created_at);

-- Who did what. Each row carries the hash of the one before.
create table operator_audit (
  sequence bigint primary key check (sequence > 0),
  at bigint not null,
  operator text not null,
  action text not null,
  event text not null,
  parameters text not null,
  fields text not null,
  reason text not null,
  approved_by text,
  result text not null,
  hash bytea not null check (length(hash) = 32)
);
create index operator_audit_operator on operator_audit (operator, sequence);
create trigger operator_audit_append_only before update or delete or truncate on operator_audit
  for each statement execute function refuse_change();
