-- Pauses of withdrawals of a coin on a network, whatever causes them, until all owners of waiting withdrawals are notified.
-- `read_until` is the newest withdrawal whose owner was notified that the pause has begun.
create table withdrawal_pause (
  id uuid primary key,
  asset text not null,
  network text not null,
  started_at bigint not null,
  ended_at bigint check (ended_at >= started_at),
  read_until uuid
);
create unique index withdrawal_pause_open on withdrawal_pause (asset, network) where ended_at is null;

-- Owners who were notified that a pause has begun, and are to be notified of its end.
create table withdrawal_pause_owner (
  pause uuid not null references withdrawal_pause (id) on delete cascade,
  owner uuid not null,
  primary key (pause, owner)
);

alter table withdrawal_notice drop constraint withdrawal_notice_kind_check;
alter table withdrawal_notice add constraint withdrawal_notice_kind_check
  check (kind in ('held', 'finished', 'rejected', 'failed', 'returned', 'paused', 'resumed'));
