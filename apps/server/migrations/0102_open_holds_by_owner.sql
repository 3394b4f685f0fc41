-- The reconciliation compares the holds of some owners at a time: it reads their open rows, however many ended ones
-- they have. Spot and the seconds contract have such an index already.
create index finance_order_owner_open on finance_order (owner) where status = 1;
create index mining_order_owner_open on mining_order (owner) where redeemed_at is null;
create index fund_position_owner_open on fund_position (owner) where status in (0, 1);
create index withdrawal_owner_open on withdrawal (owner) where status in (0, 3);
create index subscription_commitment_unsettled on subscription_commitment (owner)
  where settled_at is null and amount > 0;
create index subscription_commitment_unclaimed on subscription_commitment (owner) where allocated > claimed;
-- What was issued, and what the house has, is read without the accounts of users.
create index ledger_account_house on ledger_account (asset) where owner is null;
