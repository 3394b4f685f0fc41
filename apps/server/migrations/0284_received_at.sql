-- When the request for an order reached the exchange, for the explanation of its fills; null for orders that the exchange
-- placed itself, and for those of earlier versions.
alter table spot_order add column received_at bigint;
