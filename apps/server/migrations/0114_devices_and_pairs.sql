-- The network of each session, so that a login from another one is noticed, and whether its device said who it is.
alter table user_session
  add column address_network text,
  add column has_device_id boolean not null default false;
update user_session set address_network = case
  when position(':' in address) = 0 then regexp_replace(address, '\.\d+$', '.0/24')
  else regexp_replace(address_group, '^([^:]+:[^:]+:[^:]+):.*$', '\1::/48')
end;
create index user_session_wide_network on user_session (user_id, address_network);

-- Pairs of inviter and invited person that are marked as one person or device, with every reason ever found. The row
-- outlives the sessions that it was made from.
create table invite_mark (
  invitee uuid primary key,
  inviter uuid not null,
  reasons text[] not null check (cardinality(reasons) > 0),
  at bigint not null,
  changed_at bigint not null
);

-- Reasons that two operators have looked at and found wrong for a pair: they hold its rewards no longer.
create table invite_release (
  invitee uuid primary key,
  reasons text[] not null,
  at bigint not null
);

-- Rewards that are owed but held by a mark.
alter table invite_owed add column held boolean not null default false;
create index invite_owed_payable on invite_owed (day, invitee, asset) where not held;
create index invite_owed_held on invite_owed (invitee) where held;
