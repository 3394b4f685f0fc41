-- Pending deposits are read per network and coin: one coin that waits holds up no other.
create index deposit_pending_coin on deposit (network, asset, block, id) where status = 0 and not is_small;
drop index deposit_pending;
