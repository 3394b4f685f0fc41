-- Changes of the exits of a buy; a price that the order did not have, or has no more, is null.
alter table spot_amendment
  add column take_profit numeric(38, 18),
  add column stop_loss numeric(38, 18),
  add column stop_loss_limit numeric(38, 18),
  add column take_profit_before numeric(38, 18),
  add column stop_loss_before numeric(38, 18),
  add column stop_loss_limit_before numeric(38, 18);
