-- Rewards of invitations: a share of the spot trading fees of whom somebody has invited.

-- How many points an inviter passes on; none here: 0.
create table invite_share (
  owner uuid primary key,
  points integer not null check (points between 0 and 10)
);

-- One row per invited person, day and coin: a day is rewarded once. `day` is its 00:00 UTC.
create table invite_reward (
  invitee uuid not null,
  day bigint not null,
  asset text not null,
  inviter uuid not null,
  fee numeric(38, 18) not null check (fee > 0),
  discount numeric(38, 18) not null check (discount >= 0),
  reward numeric(38, 18) not null check (reward >= 0),
  at bigint not null,
  primary key (invitee, day, asset),
  check (invitee <> inviter)
);
create index invite_reward_inviter on invite_reward (inviter, day desc, invitee, asset);
create trigger invite_reward_append_only before update or delete or truncate on invite_reward
  for each statement execute function refuse_change();

-- What an inviter has received in all, by coin.
create table invite_total (
  inviter uuid not null,
  asset text not null,
  reward numeric(38, 18) not null check (reward >= 0),
  primary key (inviter, asset)
) with (fillfactor = 70);

-- The days of which everybody has been rewarded.
create table invite_day (
  day bigint primary key
);

create index user_account_invited on user_account (invited_by, id desc) where invited_by is not null;
create index user_account_invited_since on user_account (id) where invited_by is not null;
