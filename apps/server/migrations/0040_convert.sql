-- Instant exchange. A quote binds the house until it expires; an accepted one is an exchange, and there is at most one.
create table convert_quote (
  id uuid primary key,
  owner uuid not null,
  from_asset text not null,
  to_asset text not null check (to_asset <> from_asset),
  from_amount numeric(38, 18) not null check (from_amount > 0),
  to_amount numeric(38, 18) not null check (to_amount > 0),
  fee numeric(38, 18) not null check (fee >= 0),
  rate numeric(38, 18) not null check (rate > 0),
  -- What the rate was made of: the index of both coins in USDT.
  from_index numeric(38, 18) not null check (from_index > 0),
  to_index numeric(38, 18) not null check (to_index > 0),
  made_at bigint not null,
  expires_at bigint not null check (expires_at > made_at),
  accepted_at bigint check (accepted_at between made_at and expires_at),
  -- The house's own name for an exchange of the demo; none for a person's.
  origin text unique
);
create index convert_quote_bound on convert_quote (to_asset, expires_at) where accepted_at is null;
create index convert_quote_owner on convert_quote (owner, accepted_at desc, id desc) where accepted_at is not null;
create index convert_quote_stale on convert_quote (expires_at) where accepted_at is null;

create function keep_exchanges() returns trigger language plpgsql as $$
begin
  if old.accepted_at is not null then raise exception 'an exchange is never changed'; end if;
  return coalesce(new, old);
end $$;
create trigger convert_quote_kept before update or delete on convert_quote
  for each row execute function keep_exchanges();
