-- What came from outside and left is little, and today's profit leaves it out.
create index ledger_movement_outside on ledger_movement (owner, at)
  where kind in ('faucet.claimed', 'inventory.funded', 'deposit.credited', 'correction.posted', 'withdrawal.sent');
-- When a value was looked at: what came before that is in it. Zero where it was not kept yet.
alter table portfolio_value add column kept_at bigint not null default 0;
