-- The master of an order's owner. Orders with the same trader never trade with one another; null means the owner.
alter table spot_order add column trader uuid;
