-- What a request or a start reads stays as small as it is today, however long the exchange runs.

-- What a user traded on a day (since 1970-01-01 UTC), in USDT, as maker and as taker: fee tiers rest on 30 days of it.
create table spot_day_volume (
  owner uuid not null,
  day integer not null,
  value numeric(38, 18) not null check (value >= 0),
  primary key (owner, day)
) with (fillfactor = 70);
insert into spot_day_volume (owner, day, value)
  select owner, at / 86400000, sum(value_usdt) from (
    select taker as owner, at, value_usdt from spot_trade where value_usdt is not null
    union all
    select maker, at, value_usdt from spot_trade where value_usdt is not null
  ) as traded group by 1, 2;

-- Counted by the statement that stores the trades: whatever happens to one happens to the other.
create function count_traded_value() returns trigger language plpgsql as $$
begin
  insert into spot_day_volume as known (owner, day, value)
    select owner, at / 86400000, sum(value_usdt) from (
      select taker as owner, at, value_usdt from made where value_usdt is not null
      union all
      select maker, at, value_usdt from made where value_usdt is not null
    ) as traded group by 1, 2
    on conflict (owner, day) do update set value = known.value + excluded.value;
  return null;
end
$$;
create trigger spot_trade_counts after insert on spot_trade
  referencing new table as made for each statement execute function count_traded_value();

-- Trailing stops of a pair that trades seldom look at that pair's trades alone.
create index spot_trade_symbol on spot_trade (symbol, sequence);

-- A start reads the accounts of the house and the world and of those it names, not everybody's.
create index ledger_account_unowned on ledger_account (id) where owner is null;

-- Old answers are removed oldest first, some thousand at a time.
drop index idempotency_at;
create index idempotency_at on idempotency (at);
