import type { Pair, PairFilters } from '@exchange/core/pair.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Ledger } from '../ledger/index.ts';
import { PriceTimeBook } from '../matching/index.ts';
import { spotCommands } from './commands.ts';
import { SpotExchange } from './exchange.ts';
import { loadExchange } from './loading.ts';

/** Spot without its service, for a replay: its commands over books of their own, and what they have to make again. */
export function spotReplay(parts: {
  readonly pairs: readonly { readonly pair: Pair; readonly filters: PairFilters }[];
  readonly database: Database;
  readonly ledger: Ledger;
}) {
  const exchange = new SpotExchange(parts.ledger);
  for (const { pair, filters } of parts.pairs) exchange.list(pair, filters, new PriceTimeBook());
  return {
    commands: Object.values(spotCommands(exchange)),
    load: () => loadExchange(exchange, parts.database, parts.ledger),
    state: STATE,
  };
}

/**
 * Waiting trailing stops are left out of the terms: what they have seen is stored now and then, not at every
 * trade.
 */
const STATE = {
  orders: 'select o::text as row, o.id as turn from spot_order o',
  terms:
    "select t::text as row, t.order_id as turn from spot_order_terms t where not (trail is not null and stop_status = 'waiting')",
  amendments: 'select a::text as row, (a.order_id, a.sequence) as turn from spot_amendment a',
  trades: 'select t::text as row, t.sequence as turn from spot_trade t',
  books:
    "select (o.symbol, o.side, o.price, o.amount - o.filled_amount, o.owner)::text as row, (o.symbol, o.rank, o.id) as turn from spot_order o where status = 'open'",
};
