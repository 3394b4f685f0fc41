-- The principal of finance is paid at maturity also where interest is still owed: a completed order may have days to come.
do $$
declare
  found text;
begin
  select conname into strict found from pg_constraint
  where conrelid = 'finance_order'::regclass and contype = 'c'
    and pg_get_constraintdef(oid) like '%status = 1%next_at IS NULL%' and pg_get_constraintdef(oid) not like '%closed_at%';
  execute format('alter table finance_order drop constraint %I', found);
end
$$;
-- What is owed is paid before anything else of its asset.
create index finance_order_owed on finance_order (next_at, id) where next_at is not null and status = 2;

-- Rewards of invitations that could not be paid on their day: a halted coin, or fees that were not there. Each stays until it
-- is paid; the inviter's share is that of the day.
create table invite_owed (
  invitee uuid not null,
  day bigint not null,
  asset text not null,
  inviter uuid not null,
  fee numeric(38, 18) not null check (fee > 0),
  points integer not null check (points between 0 and 10),
  at bigint not null,
  primary key (invitee, day, asset),
  check (invitee <> inviter)
);
create index invite_owed_day on invite_owed (day, invitee, asset);
