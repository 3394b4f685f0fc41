-- Books of costs and gains are those of a person: a main account has one set of books for itself and its sub-accounts.
-- `account` is the sub-account whose balance an event changed, null for the main account.
alter table tax_event add column account uuid;

-- Transfers between accounts of a person are no events of these books, and coins that returned need no entered cost.
create temporary table transferred on commit drop as
  select person.master as owner, m.entry
  from (select distinct master from sub_account_transfer) as person
  join ledger_movement m on m.owner = person.master and m.kind = 'subaccount.transferred'
  union
  select person.master, e.sequence
  from (select distinct master from sub_account_transfer) as person
  cross join (
    select sequence from ledger_entry
    where sequence > (select sequence from ledger_movement_cursor) and kind = 'subaccount.transferred'
  ) as e;
delete from tax_event using transferred
  where tax_event.owner = transferred.owner and tax_event.entry = transferred.entry
    and tax_event.kind = 'subaccount.transferred';
delete from tax_cost using transferred
  where tax_cost.owner = transferred.owner and tax_cost.entry = transferred.entry;

-- Persons who moved coins are counted again from the first entry, in bounded steps, when they next ask. Stored events stay,
-- because they can have values that are not stored elsewhere any more; lots, disposals and the former books of sub-accounts
-- are deleted in these steps.
create temporary table recounted on commit drop as
  select master as owner from sub_account_transfer
  union
  select id from sub_account where master in (select master from sub_account_transfer);
delete from portfolio_cost where owner in (select owner from recounted);
delete from tax_year where owner in (select owner from recounted);
delete from tax_section where owner in (select owner from recounted);
update portfolio_cost_position set entry = 0, ingested = 0, is_clearing = true
  where owner in (select owner from recounted);
