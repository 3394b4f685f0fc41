-- What happened on an account, without the entries that only set funds aside inside one account and release them: most
-- rows of somebody who places and cancels orders. Found by kind and coin, newest at the end of each; the condition is
-- written word by word in the queries of `modules/ledger/events-repository.ts`.
create index ledger_movement_event on ledger_movement (owner, kind, asset, at, entry)
  where kind not in ('spot.held', 'spot.released', 'seconds.opened', 'seconds.returned', 'withdrawal.held', 'withdrawal.returned')
    and (kind <> 'fund.bought' or bucket = 'available');
