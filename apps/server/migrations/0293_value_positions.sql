-- A daily value counts the ledger entries up to a position of the ledger. An instant cannot separate them: entries of the
-- same millisecond were counted in the value and again as deposits after it.
alter table portfolio_value add column entry bigint;
update portfolio_value v set entry = coalesce((
  select max(m.entry) from ledger_movement m
  where m.owner = v.owner and m.at < greatest(v.kept_at, (v.day + 1) * 86400000::bigint)
    and m.kind in ('faucet.claimed', 'inventory.funded', 'deposit.credited', 'correction.posted', 'withdrawal.sent', 'subaccount.transferred')
), 0);
alter table portfolio_value alter column entry set not null;
alter table portfolio_value drop column kept_at;

create index ledger_movement_outside on ledger_movement (owner, entry)
  where kind in ('faucet.claimed', 'inventory.funded', 'deposit.credited', 'correction.posted', 'withdrawal.sent', 'subaccount.transferred');
drop index ledger_movement_net_deposits;
