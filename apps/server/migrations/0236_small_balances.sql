-- Quotes that exchange several small balances into one coin are accepted together: they share the id of their bundle.
alter table convert_quote add column bundle uuid;
create index convert_quote_bundle on convert_quote (bundle) where bundle is not null;
