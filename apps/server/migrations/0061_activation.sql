-- Where a trailing stop begins to follow the market; null once it does, and for stops of other kinds.
alter table spot_order_terms add column activation numeric(38, 18) check (activation is null or trail is not null);
