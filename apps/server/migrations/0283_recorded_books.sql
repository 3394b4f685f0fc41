-- The recorded order book of each pair, in parts of at most ten minutes that are linked by hashes: the price levels at the
-- beginning of a part, and every change until its end.
create table market_book_part (
  symbol text not null,
  seq bigint not null check (seq > 0),
  from_at bigint not null,
  until_at bigint not null check (until_at >= from_at),
  -- The steps of the changes; null for a part without changes.
  first_step bigint,
  last_step bigint,
  changes integer not null check (changes >= 0),
  hash text not null,
  signing_key text not null,
  signature text not null,
  -- The text whose SHA-256 is `hash`, compressed with Brotli.
  content bytea not null,
  primary key (symbol, seq)
);
alter table market_book_part alter column content set storage external;
create index market_book_part_time on market_book_part (symbol, until_at, seq);
create index market_book_part_step on market_book_part (symbol, last_step) where last_step is not null;
create trigger market_book_part_no_change before update or truncate on market_book_part
  for each statement execute function refuse_change();

-- Old parts are removed from the beginning of a chain, so that what is left is linked without a gap.
create function market_book_part_ends_old_first() returns trigger language plpgsql as $$
begin
  if exists (
    select from gone where exists (
      select from market_book_part p where p.symbol = gone.symbol and p.seq < gone.seq
    )
  ) or exists (
    select from (select distinct symbol from gone) pair where not exists (
      select from market_book_part p where p.symbol = pair.symbol
    )
  ) then
    raise exception 'a part of the recorded book may only be removed from the beginning of its chain';
  end if;
  return null;
end $$;
create trigger market_book_part_old_first after delete on market_book_part
  referencing old table as gone
  for each statement execute function market_book_part_ends_old_first();
