import { firstIdAt } from '@exchange/core/ids.ts';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { Reader } from '../../platform/database/database.ts';
import { tradeOf } from './repository.ts';
import type { SpotTables, SpotTrade } from './tables.ts';

/** A range of a pair's trades; all bounds are inclusive. */
export interface TradeRange {
  readonly symbol: string;
  readonly fromSequence?: number | undefined;
  /** Start and end of the period in milliseconds UTC. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly limit: number;
}

/**
 * Up to `limit` trades of a pair, oldest first: the oldest from a lower bound on, or without one the newest. Bounds
 * in time are converted to sequence numbers, so the index over pair and sequence serves all ranges.
 */
export async function pairTrades(reader: Reader, range: TradeRange): Promise<SpotTrade[]> {
  const { symbol, fromSequence, from, to, limit } = range;
  const [first, end] = await Promise.all([
    from === undefined ? undefined : sequenceAt(reader, from),
    to === undefined ? undefined : sequenceAt(reader, to + 1),
  ]);
  const lower = Math.max(fromSequence ?? 0, first ?? 0);
  const isAscending = fromSequence !== undefined || from !== undefined;
  let query = reader
    .withTables<SpotTables>()
    .selectFrom('spot_trade')
    .selectAll()
    .where('symbol', '=', symbol)
    .where('sequence', '>=', BigInt(lower))
    .orderBy('sequence', isAscending ? 'asc' : 'desc')
    .limit(limit);
  if (end !== undefined) query = query.where('sequence', '<', BigInt(end));
  const trades = (await query.execute()).map(tradeOf);
  return isAscending ? trades : trades.toReversed();
}

/**
 * The sequence number of the first trade of any pair at or after a time; greater than all sequence
 * numbers if there is none. Trade ids begin with their time, but within a millisecond they are not
 * sorted by sequence number.
 */
async function sequenceAt(reader: Reader, ms: number): Promise<number> {
  const trades = reader.withTables<SpotTables>().selectFrom('spot_trade');
  const next = await trades
    .select('at')
    .where('id', '>=', firstIdAt(ms))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  if (next === undefined) return Number.MAX_SAFE_INTEGER;
  const at = wholeNumber(next.at);
  const first = await trades
    .select(({ fn }) => fn.min('sequence').as('sequence'))
    .where('id', '>=', firstIdAt(at))
    .where('id', '<', firstIdAt(at + 1))
    .executeTakeFirstOrThrow();
  return wholeNumber(first.sequence);
}
