-- Watched tokens of TRON count in holdings once they are listed, with what arrived before.

-- A contract can report any amounts, so their sum can have more digits than an amount.
alter table tron_flow alter column units type numeric;

-- The arrivals of watched tokens that operators have not sent back or dismissed, by contract. Their amounts have at most 18 decimals.
-- What came from a deposit address was in the holdings before: as the arrival at that address.
insert into tron_flow (block, asset, units)
  select -1, arrival.asset, sum(trunc(arrival.amount * 10::numeric ^ token.digits))
  from treasury_arrival arrival
  join chain_watched_token token on token.network = arrival.network and token.contract = arrival.asset
  where arrival.network = 'TRC20' and arrival.asset <> 'TRX' and arrival.state not in ('returned', 'dismissed')
    and arrival.registered_by is null and arrival.gone_at is null
    and not exists (select from tron_address where tron_address.address = arrival.sender)
  group by arrival.asset
  on conflict (asset, block) do update set units = tron_flow.units + excluded.units;

insert into tron_holding (idx, asset, block, due_at)
  select idx, asset, max(block), 0
  from chain_sighting join tron_address on tron_address.address = chain_sighting.address
  where network = 'TRC20' and not is_gone
    and asset in (select contract from chain_watched_token where network = 'TRC20' and contract <> 'TRX')
  group by idx, asset
  on conflict (idx, asset) do nothing;
