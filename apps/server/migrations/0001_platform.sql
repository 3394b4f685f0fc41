-- What the platform itself keeps: who writes, what was asked before, and settings of this database.

-- One row. A writer advances `sequence` with every batch and only where the epoch is still its own.
create table writer (
  id integer primary key check (id = 1),
  epoch bigint not null,
  -- The process that opened the epoch: after a lost answer it recognises its own takeover.
  holder uuid,
  sequence bigint not null
);
insert into writer (id, epoch, sequence) values (1, 0, 0);

-- Called by a batch that finds the epoch changed: aborts the whole statement.
create function refuse_fenced_writer() returns integer language plpgsql as $$
begin
  raise exception 'another process has become the writer' using errcode = 'EX001';
end
$$;

create table idempotency (
  actor uuid not null,
  operation text not null,
  key text not null,
  fingerprint text not null,
  answer text not null,
  at bigint not null,
  primary key (actor, operation, key)
);
create index idempotency_at on idempotency using brin (at);

create table database_setting (
  name text primary key,
  value text not null
);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'EX002';
end
$$;
