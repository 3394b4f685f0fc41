-- Passkeys of Web Authentication, with which people sign in and confirm what they do.

-- The user handle that stands for an account inside its passkeys: random, so that a device reveals no id.
create table passkey_user (
  user_id uuid primary key references user_account (id),
  handle bytea not null unique
);

create table passkey (
  id uuid primary key,
  user_id uuid not null references user_account (id),
  credential_id bytea not null unique,
  -- The COSE key that verifies signatures; the private half never leaves the device.
  public_key bytea not null,
  -- Highest signature counter that was seen; 0 for passkeys that do not count.
  sign_count bigint not null,
  transports text[] not null default '{}',
  kind text not null,
  name text not null,
  created_at bigint not null,
  last_used_at bigint not null default 0,
  -- When the owner was last warned that the counter fell, 0 for never.
  warned_at bigint not null default 0
);
create index passkey_of_user on passkey (user_id, created_at);

-- Challenges that were used, until they expire. The others are signed texts that nobody stores.
create table passkey_challenge (
  digest bytea primary key,
  expires_at bigint not null,
  -- Digest of the request that a challenge confirmed: its repetition is accepted.
  claimed_for bytea
);
create index passkey_challenge_expired on passkey_challenge (expires_at);

-- How a session was opened: with a password or with a passkey.
alter table user_session add column method text not null default 'password';
