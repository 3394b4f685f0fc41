-- What protects an account beyond its passwords.

alter table user_account
  -- The authenticator's key, sealed with the server's secret; and one that was shown and not yet confirmed.
  add column totp_key bytea,
  add column totp_new_key bytea,
  add column totp_bound_at bigint not null default 0,
  -- The 30 seconds of the last code that was accepted, and the request it was used for: none is right twice.
  add column totp_step bigint not null default 0,
  add column totp_claimed_for bytea,
  -- Words that stand in every mail to the owner.
  add column anti_phishing text not null default '',
  add column remark text not null default '',
  add column icon uuid;

-- Digests under the server's secret.
create table recovery_code (
  user_id uuid not null references user_account (id),
  code_hash bytea not null,
  used_at bigint,
  primary key (user_id, code_hash)
) with (fillfactor = 80);
