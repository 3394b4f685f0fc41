import { Decimal } from '@exchange/core/decimal.ts';
import { firstIdAt } from '@exchange/core/ids.ts';
import { SECOND_MS } from '@exchange/core/time.ts';
import { sql } from 'kysely';
import { wholeNumber } from '../../platform/database/whole-number.ts';
import type { Reader } from '../../platform/database/database.ts';
import { tradeOf } from './repository.ts';
import type { SpotTables, SpotTrade } from './tables.ts';

/** A range of a pair's trades, bounded by a sequence number, a period or both; all bounds are inclusive. */
export interface TradeRange {
  readonly symbol: string;
  readonly fromSequence?: number | undefined;
  /** Start and end of the period in milliseconds UTC, both inclusive. */
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

/** The trades of a pair in one second, summed up. */
export interface TradedSecond {
  /** The second, as a number of seconds since 1970. */
  readonly second: number;
  readonly open: Decimal;
  readonly high: Decimal;
  readonly low: Decimal;
  readonly close: Decimal;
  /** Amount of the base coin traded in the second, and its part in trades whose taker bought. */
  readonly volume: Decimal;
  readonly takerVolume: Decimal;
  /** Amount of the quote coin traded in the second, and its part in trades whose taker bought. */
  readonly turnover: Decimal;
  readonly takerTurnover: Decimal;
  readonly count: number;
}

/** A range of consecutive seconds for which the trades of a pair are summed up. */
export interface SecondRange {
  readonly symbol: string;
  /** The first second of the range, as a number of seconds since 1970. */
  readonly from: number;
  /** The second after the last second of the range, as a number of seconds since 1970. */
  readonly end: number;
  /** Whether the newest seconds are returned if not all can be read. Otherwise the oldest are. */
  readonly isNewestFirst: boolean;
}

/** The result of summing up the trades of a range of seconds, of which only a part may have been read. */
export interface TradedSeconds {
  /** The seconds with trades, oldest first. */
  readonly seconds: readonly TradedSecond[];
  /** The part of the range that was read: its first second, and the second after its last one. */
  readonly from: number;
  readonly end: number;
}

/** Number of trades that are read at most to sum up seconds. */
const SUMMED_TRADES_MAX = 100_000;

interface SecondRow {
  readonly second: bigint;
  readonly open: string;
  readonly high: string;
  readonly low: string;
  readonly close: string;
  readonly volume: string;
  readonly taker_volume: string | null;
  readonly turnover: string;
  readonly taker_turnover: string | null;
  readonly count: number;
}

/**
 * Sums up the trades of each second of a range. Reads at most `most` trades. If that many are read, the
 * second in which reading ended is left out, because its sums may lack trades, and so are the seconds behind
 * it.
 */
export async function tradedSeconds(
  reader: Reader,
  { symbol, from, end, isNewestFirst }: SecondRange,
  most = SUMMED_TRADES_MAX,
): Promise<TradedSeconds> {
  const [first, last] = await Promise.all([
    sequenceAt(reader, from * SECOND_MS),
    sequenceAt(reader, end * SECOND_MS),
  ]);
  const order = isNewestFirst ? sql`DESC` : sql`ASC`;
  const { rows } = await sql<SecondRow>`
    SELECT at / ${SECOND_MS} AS second, count(*)::integer AS count,
      (array_agg(price ORDER BY sequence))[1]::text AS open,
      (array_agg(price ORDER BY sequence DESC))[1]::text AS close,
      max(price)::text AS high, min(price)::text AS low,
      sum(amount)::text AS volume, sum(total)::text AS turnover,
      (sum(amount) FILTER (WHERE taker_side = 'buy'))::text AS taker_volume,
      (sum(total) FILTER (WHERE taker_side = 'buy'))::text AS taker_turnover
    FROM (
      SELECT at, sequence, price, amount, total, taker_side FROM spot_trade
      WHERE symbol = ${symbol} AND sequence >= ${first} AND sequence < ${last}
      ORDER BY sequence ${order} LIMIT ${most}
    ) AS read_trades
    GROUP BY 1 ORDER BY 1`.execute(reader);
  const seconds = rows.map(secondOf);
  const isWhole = seconds.reduce((sum, { count }) => sum + count, 0) < most;
  if (isWhole || seconds.length === 0)
    return {
      seconds,
      from,
      end,
    };
  return isNewestFirst
    ? {
        seconds: seconds.slice(1),
        from: seconds[0]!.second + 1,
        end,
      }
    : {
        seconds: seconds.slice(0, -1),
        from,
        end: seconds.at(-1)!.second,
      };
}

function secondOf(row: SecondRow): TradedSecond {
  return {
    second: wholeNumber(row.second),
    open: Decimal.parse(row.open),
    high: Decimal.parse(row.high),
    low: Decimal.parse(row.low),
    close: Decimal.parse(row.close),
    volume: Decimal.parse(row.volume),
    takerVolume: Decimal.parse(row.taker_volume ?? '0'),
    turnover: Decimal.parse(row.turnover),
    takerTurnover: Decimal.parse(row.taker_turnover ?? '0'),
    count: row.count,
  };
}

/**
 * The sequence number of the first trade of any pair at or after a time (milliseconds UTC); greater than all sequence
 * numbers if there is none. Trade ids begin with their time, but within a millisecond they are not sorted by sequence
 * number.
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
