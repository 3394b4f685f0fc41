-- Messages can be deleted, and people choose what they are told of and how.

-- A deleted message keeps its row, emptied, because what it was about must not be told again.
alter table message add column deleted_at bigint;
drop index message_of_user;
create index message_of_user on message (user_id, created_at desc, id desc) where deleted_at is null;

-- A topic without a row is told as it is by default.
create table message_choice (
  user_id uuid not null references user_account (id),
  topic text not null,
  inbox boolean not null,
  mail boolean not null,
  primary key (user_id, topic)
);
insert into message_choice (user_id, topic, inbox, mail)
  select id, 'fills', false, false from user_account where not notify_fills;
alter table user_account drop column notify_fills;

-- Rewards of invitations that are still to be told.
create table invite_notice (
  invitee uuid not null,
  day bigint not null,
  asset text not null,
  inviter uuid not null,
  amount numeric(38, 18) not null check (amount > 0),
  primary key (day, invitee, asset)
);
