-- Transfers to and from the seconds account say what was available on it after them. Earlier ones get it from the statement
-- and, where that has not come to them yet, from the entries behind it.
alter table seconds_transfer add column balance numeric(38, 18) check (balance >= 0);
alter table seconds_transfer disable trigger seconds_transfer_append_only;

update seconds_transfer t set balance = m.balance
from ledger_movement m join ledger_account a on a.id = m.account
where m.owner = t.owner and m.reference = t.id and m.kind in ('seconds.deposited', 'seconds.withdrawn')
  and m.bucket = 'available' and split_part(a.address, ':', 3) = 'seconds';

with sides as (
  select e.sequence, e.reference, e.kind, one.ordinality as posting, side.account, side.delta
  from ledger_entry e
  cross join lateral unnest(e.sources, e.destinations, e.amounts) with ordinality
    as one(source, destination, amount, ordinality)
  cross join lateral (values (one.source, -one.amount), (one.destination, one.amount)) as side(account, delta)
  where e.sequence > (select sequence from ledger_movement_cursor) and one.amount is not null
), balances as (
  select s.reference, s.kind, a.owner,
    coalesce(latest.balance, 0)
      + sum(s.delta) over (partition by s.account order by s.sequence, s.posting) as balance
  from sides s
  join ledger_account a on a.id = s.account and split_part(a.address, ':', 3) = 'seconds'
    and split_part(a.address, ':', 4) = 'available'
  left join lateral (
    select balance from ledger_movement m where m.account = a.id order by m.entry desc, m.posting desc limit 1
  ) as latest on true
)
update seconds_transfer t set balance = b.balance
from balances b
where t.balance is null and b.owner = t.owner and b.reference = t.id
  and b.kind in ('seconds.deposited', 'seconds.withdrawn');

alter table seconds_transfer enable trigger seconds_transfer_append_only;
