-- Histories are read by owner and period, newest first. Both sides of the fills come in the order of their
-- index, and who polls for open orders does not wade through all that have ended.

create index spot_order_owner_open on spot_order (owner, id desc) where status = 'open';
drop index spot_order_open;

create index spot_trade_taker_at on spot_trade (taker, at desc, sequence desc);
create index spot_trade_maker_at on spot_trade (maker, at desc, sequence desc);
drop index spot_trade_taker;
drop index spot_trade_maker;
