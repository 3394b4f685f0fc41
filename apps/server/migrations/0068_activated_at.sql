-- When a trailing stop's activation price was reached; the price stays. Of stops that became active before, it is gone.
alter table spot_order_terms
  add column activated_at bigint check (activated_at is null or activation is not null);
