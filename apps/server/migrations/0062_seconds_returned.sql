-- Positions that were given back, in the order in which that happened: their owners are told from it.
create index seconds_order_returned on seconds_order (finished_at, id) where status = 2;
