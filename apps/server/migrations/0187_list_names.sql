-- The name that a program gave its list of orders, on the terms of both orders. Null without a name.
alter table spot_order_terms add column list_name text;
