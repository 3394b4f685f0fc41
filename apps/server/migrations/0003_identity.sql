-- Who the users are, where they are signed in, and what guards that.

create table user_account (
  id uuid primary key,
  uid text not null unique check (uid ~ '^[1-9][0-9]{7}$'),
  -- Exactly one of the two: a person signs in with an address, an account of the house never signs in.
  email text unique check (email = lower(email) and length(email) <= 254),
  house_name text unique,
  nickname text not null default '',
  password_hash text,
  trade_password_hash text,
  trade_password_failures integer not null default 0,
  trade_password_locked_until bigint not null default 0,
  invitation_code text not null unique,
  invited_by uuid references user_account (id),
  may_purchase boolean not null default true,
  frozen boolean not null default false,
  -- 0 none, 1 reviewing, 2 verified, 3 rejected
  kyc_status integer not null default 0 check (kyc_status between 0 and 3),
  hold_until bigint not null default 0,
  locale text not null,
  created_at bigint not null,
  check ((email is null) <> (house_name is null)),
  check (house_name is null or password_hash is null)
);
create index user_account_invited_by on user_account (invited_by) where invited_by is not null;

create table user_session (
  id uuid primary key,
  user_id uuid not null references user_account (id),
  token_hash bytea not null unique check (length(token_hash) = 32),
  device text not null,
  -- SHA-256 over what tells this device from others; never shown.
  device_mark bytea not null,
  address text not null,
  created_at bigint not null,
  seen_at bigint not null,
  ended_at bigint
) with (fillfactor = 80);
create index user_session_live on user_session (user_id, seen_at) where ended_at is null;
create index user_session_device on user_session (user_id, device_mark);

-- Days (since 1970-01-01 UTC) on which a user was here.
create table user_active_day (
  user_id uuid not null references user_account (id),
  day integer not null,
  primary key (user_id, day)
);

-- Every code ever asked for within two days, also those for addresses nobody has: they count alike.
create table email_code (
  id uuid primary key,
  email text not null,
  purpose text not null,
  code_hash bytea not null,
  asked_from text not null,
  created_at bigint not null,
  expires_at bigint not null,
  tries integer not null default 0,
  closed_at bigint
) with (fillfactor = 80);
create unique index email_code_open on email_code (email, purpose) where closed_at is null;
create index email_code_by_email on email_code (email, created_at);
create index email_code_by_origin on email_code (asked_from, created_at);
create index email_code_by_time on email_code (created_at);

create table email_ticket (
  id uuid primary key,
  token_hash bytea not null unique,
  email text not null,
  purpose text not null,
  expires_at bigint not null
);

-- `subject` is `email:…` or `address:…`.
create table sign_in_failure (
  subject text primary key,
  recent integer not null,
  consecutive integer not null,
  first_at bigint not null,
  last_at bigint not null
) with (fillfactor = 70);

create table security_event (
  id uuid primary key,
  user_id uuid references user_account (id),
  kind text not null,
  device text not null,
  address text not null,
  detail text not null default '',
  at bigint not null
);
create index security_event_of_user on security_event (user_id, at desc, id desc) where user_id is not null;
create index security_event_of_nobody on security_event (at) where user_id is null;
