-- Statement rows that only repeat (interest, mining income, a fund's daily cost, invitation rewards) become one row per account,
-- kind and month once they are older than a year. The entries themselves stay in `ledger_entry`.

-- How many rows a row is the sum of. It stands in the place of the newest of them and has that one's balance.
alter table ledger_movement add column entries integer not null default 1;

-- Accounts with rows that repeat, and of each its rows in the order of time.
create index ledger_movement_repeating on ledger_movement (account, kind, at)
  where kind in ('finance.paid', 'mining.paid', 'fund.cost', 'invite.paid');

create table ledger_movement_sum (
  id integer primary key check (id = 1),
  -- Rows from before are summed in every account; 0 before the first pass has ended.
  summed_until bigint not null,
  -- The pass under way: up to when it sums, and the last account it is done with. Null between passes.
  until bigint,
  account bigint,
  -- Accounts that failed in this pass, which ends when they have succeeded.
  failed bigint[] not null default '{}',
  check ((until is null) = (account is null))
);
insert into ledger_movement_sum (id, summed_until) values (1, 0);
