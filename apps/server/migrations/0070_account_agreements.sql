-- Which version of the user agreement and of the privacy policy was accepted with an account, when and in which language.
-- Of accounts that are older than this it is not known, and they have no row.
create table account_agreement (
  user_id uuid not null references user_account (id),
  name text not null check (name in ('user', 'privacy')),
  version text not null,
  locale text not null,
  accepted_at bigint not null,
  primary key (user_id, name, version)
);
create trigger account_agreement_append_only before update or delete or truncate on account_agreement
  for each statement execute function refuse_change();
