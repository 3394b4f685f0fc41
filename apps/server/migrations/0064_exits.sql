-- Take-profit and stop-loss attached to a buy, what became of them, and the buy whose exit an order is.
alter table spot_order_terms
  add column take_profit numeric(38, 18),
  add column stop_loss numeric(38, 18),
  add column stop_loss_limit numeric(38, 18) check (stop_loss_limit is null or stop_loss is not null),
  add column exit_status text check (
    exit_status in ('waiting', 'placed', 'unfilled', 'balanceShort', 'tooSmall', 'tooMany', 'pairClosed', 'noLiquidity')
  ),
  add column entry_id uuid,
  add check ((exit_status is null) = (take_profit is null and stop_loss is null));
-- A start asks which exits are still to be placed.
create index spot_order_terms_exits_waiting on spot_order_terms (order_id) where exit_status = 'waiting';
