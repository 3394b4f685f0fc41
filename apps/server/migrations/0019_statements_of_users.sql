-- Nobody can read the statement of an account of the house, which never signs in, and it was most of all rows: what
-- those accounts moved is in `ledger_entry`. The table is filled anew, since only that gives its room back at once.

create temporary table kept on commit drop as
  select m.* from ledger_movement m
  where not exists (select from user_account u where u.id = m.owner and u.house_name is not null);
drop index ledger_movement_account;
truncate ledger_movement;
insert into ledger_movement select * from kept order by owner, entry, posting, account;

-- Rows come with growing numbers. An index in falling order is extended at its left end, where every page stays half
-- empty; one in rising order is read backwards as well and fills its pages.
create index ledger_movement_account on ledger_movement (account, entry, posting);
drop index spot_order_owner;
create index spot_order_owner on spot_order (owner, id);
drop index spot_order_owner_open;
create index spot_order_owner_open on spot_order (owner, id) where status = 'open';
drop index spot_trade_taker_at;
create index spot_trade_taker_at on spot_trade (taker, at, sequence);
drop index spot_trade_maker_at;
create index spot_trade_maker_at on spot_trade (maker, at, sequence);

-- An order that has ended is never written again, so its page may be nearly full.
alter table spot_order set (fillfactor = 90);
