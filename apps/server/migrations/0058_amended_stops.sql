-- Changes of orders that wait for a price; what an order does not have is null.
alter table spot_amendment
  alter column price drop not null,
  alter column amount drop not null,
  alter column price_before drop not null,
  alter column amount_before drop not null,
  add column stop_price numeric(38, 18),
  add column stop_price_before numeric(38, 18);
