-- New-coin subscription: projects, commitments, their allocation and its public files.

create table subscription_project (
  id uuid primary key,
  code text not null unique check (code ~ '^[a-z0-9-]{1,40}$'),
  version integer not null check (version > 0),
  symbol text not null unique check (symbol ~ '^[A-Z0-9]{2,10}$'),
  -- What an operator sets, amounts as decimal text.
  terms jsonb not null,
  start_at bigint not null,
  end_at bigint not null check (end_at >= start_at),
  committed numeric(38, 18) not null default 0 check (committed >= 0),
  participants integer not null default 0 check (participants >= 0),
  -- committing, announced (the hash of the commitments is public), settling, settled, refunded
  stage text not null default 'committing'
    check (stage in ('committing', 'announced', 'settling', 'settled', 'refunded')),
  is_cancelled boolean not null default false,
  commitment_hash text,
  announced_at bigint check ((announced_at is null) = (commitment_hash is null)),
  result_hash text,
  allocated_at bigint check (allocated_at > announced_at),
  -- Tokens: allocated by the result, and handed out until now.
  sold numeric(38, 18),
  handed_out numeric(38, 18) not null default 0 check (handed_out <= sold)
) with (fillfactor = 70);

create table subscription_project_version (
  project uuid not null references subscription_project (id),
  version integer not null,
  terms jsonb not null,
  set_by text not null,
  reason text not null,
  at bigint not null,
  primary key (project, version)
);
create trigger subscription_project_version_append_only before update or delete or truncate on subscription_project_version
  for each statement execute function refuse_change();

create table subscription_agreement (
  owner uuid not null,
  version text not null,
  at bigint not null,
  primary key (owner, version)
);

-- One person's part in one project; an amount of zero was taken back.
create table subscription_commitment (
  id uuid primary key,
  project uuid not null references subscription_project (id),
  owner uuid not null,
  salt text not null,
  amount numeric(38, 18) not null check (amount >= 0),
  allocated numeric(38, 18) not null default 0 check (allocated >= 0),
  cost numeric(38, 18) not null default 0 check (cost >= 0 and cost <= amount),
  claimed numeric(38, 18) not null default 0 check (claimed <= allocated),
  settled_at bigint,
  unique (project, owner)
) with (fillfactor = 70);
create index subscription_commitment_owner on subscription_commitment (owner, id desc);
create index subscription_commitment_due on subscription_commitment (project, id) where settled_at is null;

-- The public files as they were written: once each.
create table subscription_file (
  project uuid not null references subscription_project (id),
  kind text not null check (kind in ('commitments', 'result')),
  content text not null,
  sha256 text not null,
  primary key (project, kind)
);
create trigger subscription_file_append_only before update or delete or truncate on subscription_file
  for each statement execute function refuse_change();

-- What a participant is still to be told in the inbox; removed with the message's transaction.
create table subscription_notice (
  id uuid primary key,
  owner uuid not null,
  commitment uuid not null references subscription_commitment (id),
  kind text not null check (kind in ('allocated', 'refunded')),
  at bigint not null
);
