-- What strangers do to an address no longer counts against its owner.

-- Who asked for a code decides which of an address's codes it is: the signed-in owner (own), somebody on a
-- network where the account has been signed in (known), or anybody (stranger). Each has one open code.
alter table email_code
  add column lane text not null default 'stranger' check (lane in ('own', 'known', 'stranger')),
  add column digits integer not null default 6,
  -- Tries at a code of another lane; they use up none of the tries of whoever asked for it.
  add column stranger_tries integer not null default 0,
  -- The wider network it was asked from: /24 or /48.
  add column asked_network text not null default '',
  -- What a code was used for, as a digest: the same request sent again finds it used for itself.
  add column claimed_for bytea;
drop index email_code_open;
create unique index email_code_open on email_code (email, purpose, lane) where closed_at is null;
create index email_code_by_network on email_code (asked_network, created_at);

-- Subjects: `address:…` · `email:…` tries without a right mailed code · `mailbox:…` tries with one ·
-- `user:…` tries at the old password of somebody signed in. The budget of a day is kept as the moment at
-- which it would be whole again.
alter table sign_in_failure
  drop column consecutive,
  add column whole_at bigint not null default 0;

-- The /64 or the address itself, as limits count it; unknown of older sessions over IPv6.
alter table user_session add column address_group text;
update user_session set address_group = address where position(':' in address) = 0;
create index user_session_network on user_session (user_id, address_group);

-- Why withdrawals are held: passwordChanged, passwordReset, tradePasswordChanged or tradePasswordReset.
alter table user_account add column hold_reason text not null default '';
