-- A day's income is one message per user. Notices of income wait in the tables of notices until the digest claims them.

-- Up to which cut-off each owner has had a digest: one per owner and cut-off, also after a crash.
create table income_digest (
  owner uuid primary key references user_account (id),
  until bigint not null
);

-- Notices with a message of their own are claimed by id every minute, past the income that waits for the digest.
create index finance_notice_single on finance_notice (id) where kind <> 'income';
create index finance_notice_income on finance_notice (at, owner) where kind = 'income';
create index finance_notice_income_owner on finance_notice (owner, at) where kind = 'income';
create index mining_notice_single on mining_notice (id) where kind <> 'income';
create index mining_notice_income on mining_notice (at, owner) where kind = 'income';
create index mining_notice_income_owner on mining_notice (owner, at) where kind = 'income';
