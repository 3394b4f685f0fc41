-- What the operator console searches, and what it edits.

-- Searches by how a mail address or a number begins.
create index user_account_email_begins on user_account (email text_pattern_ops) where email is not null;
create index user_account_uid_begins on user_account (uid text_pattern_ops);

-- The log by whom or what a call was about: the first named part of its path.
create index operator_audit_subject on operator_audit ((jsonb_path_query_first(parameters::jsonb, '$.*') #>> '{}'), sequence);
create index operator_audit_action on operator_audit (action, sequence);
create index operator_audit_at on operator_audit (at);

-- Wrong sign-ins of operators, by name and address; they count over a restart and in every process.
create table operator_guess (
  subject text primary key check (length(subject) <= 120),
  failures integer not null check (failures > 0),
  since bigint not null
) with (fillfactor = 70);
create index operator_guess_since on operator_guess (since);

-- What stands for an authenticator that was lost, each once; digests under the server's secret.
create table operator_recovery_code (
  operator text not null references operator (name),
  code_hash bytea not null check (length(code_hash) = 32),
  used_at bigint,
  primary key (operator, code_hash)
) with (fillfactor = 80);

-- Announcements, and banners of both home screens. An entry is what its newest version says.
create table board_entry (
  code text primary key check (code ~ '^[a-z0-9][a-z0-9-]{1,59}$'),
  version integer not null check (version > 0),
  kind text not null check (kind in ('announcement', 'banner')),
  body jsonb not null,
  position integer not null,
  from_at bigint not null,
  until_at bigint check (until_at > from_at),
  is_withdrawn boolean not null
) with (fillfactor = 80);
create index board_entry_shown on board_entry (kind, from_at desc) where not is_withdrawn;

create table board_entry_version (
  code text not null references board_entry (code),
  version integer not null,
  kind text not null,
  body jsonb not null,
  position integer not null,
  from_at bigint not null,
  until_at bigint,
  is_withdrawn boolean not null,
  at bigint not null,
  by text not null,
  reason text not null,
  primary key (code, version)
);
create trigger board_entry_version_append_only before update or delete or truncate on board_entry_version
  for each statement execute function refuse_change();
