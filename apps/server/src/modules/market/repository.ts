import { CANDLE_SECONDS, type CandleTimer } from '@exchange/core/candle.ts';
import { instant } from '@exchange/core/time.ts';
import type { Side } from '@exchange/core/pair.ts';
import { sql } from 'kysely';
import type { Database, Tx, Reads } from '../../platform/database/database.ts';
import {
  CANDLE_FIELDS,
  readCandle,
  widenedRecords,
  writeCandle,
  type Candle,
} from './domain/candle-record.ts';
import { DEALS_KEPT, type PairDeal } from './domain/pair-market.ts';
import type { PathState } from './domain/simulated-path.ts';
import type { CandleBlockRow, CandleRow, MarketTables } from './tables.ts';

/** Number of candle intervals per stored block. */
const BLOCK_INTERVALS = 500;
/** Number of blocks loaded per series, enough for 2,000 candles wherever the newest block ends. */
const BLOCKS_LOADED = 5;

export interface SeriesKey {
  readonly symbol: string;
  readonly timer: CandleTimer;
}

export interface SeriesCandles extends SeriesKey {
  readonly candles: readonly Candle[];
}

/** Consecutive candles of a series in their binary form. */
export interface SeriesBlock extends SeriesKey {
  /** Identifies the block in its present version; differs after each change of the block. */
  readonly version: string;
  readonly records: BigInt64Array;
}

export interface SymbolDeal {
  readonly symbol: string;
  readonly deal: PairDeal;
}

/** The progress of the stored market data, and its version, which every save changes. */
export interface VersionedProgress {
  readonly version: string;
  readonly progress: Progress;
}

export interface Progress {
  readonly dealSequence: number;
  readonly path: PathState | undefined;
}

/**
 * Stores candles, the latest trades, the sequence number of the last trade that they contain, and the state of the
 * price simulation.
 */
export class MarketRepository {
  private readonly database: Database;
  private readonly reader: Reads<MarketTables>;

  constructor(database: Database) {
    this.database = database;
    this.reader = database.reader.withTables<MarketTables>();
  }

  /**
   * The sequence number of the last trade that the stored candles contain and the state of the price
   * simulation; undefined if the database has never held market data.
   */
  async progress(): Promise<VersionedProgress | undefined> {
    const row = await this.reader
      .selectFrom('market_progress')
      .selectAll()
      .select(sql<string>`xmin::text`.as('version'))
      .executeTakeFirst();
    if (row === undefined) return undefined;
    return {
      version: `${row.version} ${row.deal_sequence}`,
      progress: {
        dealSequence: Number(row.deal_sequence),
        path: (row.path ?? undefined) as PathState | undefined,
      },
    };
  }

  /**
   * The latest packed blocks of candles of each series, at most `BLOCKS_LOADED`, oldest first, without the
   * blocks whose version is in `known`.
   */
  async packedCandles(keys: readonly SeriesKey[], known: readonly string[] = []): Promise<SeriesBlock[]> {
    const { rows } = await sql<StoredBlock & { symbol: string; timer: CandleTimer; version: string }>`
      SELECT k.symbol, k.timer, b.version, b.candles, b.fields
      FROM unnest(${keys.map(({ symbol }) => symbol)}::text[], ${keys.map(({ timer }) => timer)}::text[]) AS k (symbol, timer)
      CROSS JOIN LATERAL (
        SELECT block, candles, fields, concat_ws(' ', symbol, timer, block, xmin) AS version FROM market_candle_block
        WHERE symbol = k.symbol AND timer = k.timer ORDER BY block DESC LIMIT ${BLOCKS_LOADED}
      ) AS b
      WHERE NOT b.version = ANY(${known}::text[])
      ORDER BY k.symbol, k.timer, b.block`.execute(this.reader);
    return rows.map((row) => ({
      symbol: row.symbol,
      timer: row.timer,
      version: row.version,
      records: recordsOf(row),
    }));
  }

  /** The stored candles of all pairs and intervals that are not packed into blocks yet, oldest first. */
  async looseCandles(): Promise<{ key: SeriesKey; candle: Candle }[]> {
    const rows = await this.reader.selectFrom('market_candle').selectAll().orderBy('opened').execute();
    return rows.map((row) => ({
      key: { symbol: row.symbol, timer: row.timer as CandleTimer },
      candle: candleOf(row),
    }));
  }

  /**
   * Packed candles opened before a second, oldest first, from the newest blocks that together span at least
   * `count` intervals. These may be more than `count` candles, or fewer where intervals have no candle of
   * their own.
   */
  async olderCandles(key: SeriesKey, beforeSecond: number, count: number): Promise<Candle[]> {
    const blocks = Math.ceil(count / BLOCK_INTERVALS) + 1;
    const rows = await this.reader
      .selectFrom('market_candle_block')
      .select(['candles', 'fields'])
      .where('symbol', '=', key.symbol)
      .where('timer', '=', key.timer)
      .where('block', '<=', BigInt(blockOf(key.timer, beforeSecond - 1)))
      .orderBy('block', 'desc')
      .limit(blocks)
      .execute();
    const candles = rows.toReversed().flatMap((row) => unpacked(row));
    return candles.filter(({ opened }) => opened < beforeSecond);
  }

  /** Opening time, in seconds since 1970, of the oldest packed candle of a series; undefined if it has none. */
  async oldestPacked(key: SeriesKey): Promise<number | undefined> {
    const row = await this.reader
      .selectFrom('market_candle_block')
      .select(['candles', 'fields'])
      .where('symbol', '=', key.symbol)
      .where('timer', '=', key.timer)
      .orderBy('block')
      .limit(1)
      .executeTakeFirst();
    return row === undefined ? undefined : unpacked(row)[0]?.opened;
  }

  /** All stored trades, which are the latest of each pair; newest first within each pair. */
  async latestDeals(): Promise<SymbolDeal[]> {
    const rows = await this.reader
      .selectFrom('market_deal')
      .selectAll()
      .orderBy('sequence', 'desc')
      .execute();
    return rows.map((row) => ({
      symbol: row.symbol,
      deal: {
        tradeId: row.trade_id,
        sequence: Number(row.sequence),
        at: instant(Number(row.at)),
        price: row.price,
        amount: row.amount,
        takerSide: row.taker_side as Side,
      },
    }));
  }

  /** Stores changed candles, new deals and the progress in one transaction. */
  async save(
    changed: readonly SeriesCandles[],
    deals: readonly SymbolDeal[],
    progress: Progress,
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      await upsertCandles(tx, changed);
      await insertDeals(tx, deals);
      await writeProgress(tx, progress);
    });
  }

  /**
   * Stores complete series as packed blocks together with the latest trades. Called once, on a
   * database without market data.
   */
  async seed(
    series: readonly SeriesCandles[],
    deals: readonly SymbolDeal[],
    progress: Progress,
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      await writeProgress(tx, progress);
      for (const { symbol, timer, candles } of series) await writeBlocks(tx, { symbol, timer }, candles);
      await insertDeals(tx, deals);
    });
  }

  /**
   * Moves the unpacked candles of a series that opened before a second into its blocks, where they replace packed
   * candles of the same interval.
   */
  async pack(key: SeriesKey, beforeSecond: number): Promise<void> {
    await this.database.transaction(async (tx) => {
      const tables = tx.withTables<MarketTables>();
      const loose = await tables
        .deleteFrom('market_candle')
        .where('symbol', '=', key.symbol)
        .where('timer', '=', key.timer)
        .where('opened', '<', BigInt(beforeSecond))
        .returningAll()
        .execute();
      const blocks = [...new Set(loose.map((row) => BigInt(blockOf(key.timer, Number(row.opened)))))];
      if (blocks.length === 0) return;
      const existing = await tables
        .selectFrom('market_candle_block')
        .select(['candles', 'fields'])
        .where('symbol', '=', key.symbol)
        .where('timer', '=', key.timer)
        .where('block', 'in', blocks)
        .execute();
      const merged = new Map(
        existing.flatMap((row) => unpacked(row)).map((candle) => [candle.opened, candle]),
      );
      for (const row of loose) merged.set(Number(row.opened), candleOf(row));
      await writeBlocks(
        tx,
        key,
        [...merged.values()].toSorted((a, b) => a.opened - b.opened),
      );
    });
  }

  /** Deletes trades beyond the `DEALS_KEPT` latest of each pair. */
  async trimDeals(): Promise<void> {
    await sql`DELETE FROM market_deal d WHERE sequence < (
      SELECT min(sequence) FROM (
        SELECT sequence FROM market_deal WHERE symbol = d.symbol ORDER BY sequence DESC LIMIT ${DEALS_KEPT}
      ) AS shown)`.execute(this.database.store);
  }
}

async function upsertCandles(tx: Tx, changed: readonly SeriesCandles[]): Promise<void> {
  const rows = changed.flatMap(({ symbol, timer, candles }) =>
    candles.map((candle) => ({ symbol, timer, candle })),
  );
  if (rows.length === 0) return;
  const column = <T>(read: (candle: Candle) => T) => rows.map(({ candle }) => read(candle));
  await sql`
    INSERT INTO market_candle (symbol, timer, opened, open, high, low, close, volume, turnover, deals, seeded,
      taker_volume, taker_turnover)
    SELECT * FROM unnest(
      ${rows.map(({ symbol }) => symbol)}::text[], ${rows.map(({ timer }) => timer)}::text[],
      ${column(({ opened }) => opened)}::bigint[], ${column(({ open }) => open)}::bigint[],
      ${column(({ high }) => high)}::bigint[], ${column(({ low }) => low)}::bigint[],
      ${column(({ close }) => close)}::bigint[], ${column(({ volume }) => volume)}::bigint[],
      ${column(({ turnover }) => turnover)}::bigint[], ${column(({ count }) => count)}::integer[],
      ${column(({ seeded }) => seeded)}::boolean[],
      ${column(({ takerVolume }) => takerVolume ?? null)}::bigint[],
      ${column(({ takerTurnover }) => takerTurnover ?? null)}::bigint[])
    ON CONFLICT (symbol, timer, opened) DO UPDATE SET
      open = excluded.open, high = excluded.high, low = excluded.low, close = excluded.close,
      volume = excluded.volume, turnover = excluded.turnover, deals = excluded.deals, seeded = excluded.seeded,
      taker_volume = excluded.taker_volume, taker_turnover = excluded.taker_turnover
  `.execute(tx);
}

async function insertDeals(tx: Tx, deals: readonly SymbolDeal[]): Promise<void> {
  if (deals.length === 0) return;
  const column = <T>(read: (deal: PairDeal) => T) => deals.map(({ deal }) => read(deal));
  await sql`
    INSERT INTO market_deal (symbol, sequence, trade_id, price, amount, taker_side, at)
    SELECT * FROM unnest(
      ${deals.map(({ symbol }) => symbol)}::text[], ${column(({ sequence }) => sequence)}::bigint[],
      ${column(({ tradeId }) => tradeId)}::text[], ${column(({ price }) => price)}::bigint[],
      ${column(({ amount }) => amount)}::bigint[], ${column(({ takerSide }) => takerSide)}::text[],
      ${column(({ at }) => at)}::bigint[])
    ON CONFLICT DO NOTHING`.execute(tx);
}

async function writeProgress(tx: Tx, { dealSequence, path }: Progress): Promise<void> {
  await sql`
    INSERT INTO market_progress (deal_sequence, path) VALUES (${dealSequence}, ${path === undefined ? null : JSON.stringify(path)}::jsonb)
    ON CONFLICT (single) DO UPDATE SET deal_sequence = excluded.deal_sequence, path = excluded.path`.execute(
    tx,
  );
}

async function writeBlocks(tx: Tx, { symbol, timer }: SeriesKey, candles: readonly Candle[]): Promise<void> {
  const blocks = new Map<number, Candle[]>();
  for (const candle of candles) {
    const block = blockOf(timer, candle.opened);
    const existing = blocks.get(block);
    if (existing === undefined) blocks.set(block, [candle]);
    else existing.push(candle);
  }
  await sql`
    INSERT INTO market_candle_block (symbol, timer, block, candles, fields)
    SELECT ${symbol}, ${timer}, *, ${CANDLE_FIELDS}::smallint
    FROM unnest(${[...blocks.keys()]}::bigint[], ${[...blocks.values()].map(packed)}::bytea[])
    ON CONFLICT (symbol, timer, block) DO UPDATE SET candles = excluded.candles, fields = excluded.fields`.execute(
    tx,
  );
}

function blockOf(timer: CandleTimer, openedSecond: number): number {
  return Math.floor(openedSecond / (CANDLE_SECONDS[timer] * BLOCK_INTERVALS));
}

function packed(candles: readonly Candle[]): Buffer {
  const records = new BigInt64Array(candles.length * CANDLE_FIELDS);
  for (const [at, candle] of candles.entries()) writeCandle(records, at, candle);
  return Buffer.from(records.buffer);
}

type StoredBlock = Pick<CandleBlockRow, 'candles' | 'fields'>;

/**
 * Reads a block's bytes as records of this version. Copies them, because the driver's buffer may not be aligned to eight
 * bytes.
 */
function recordsOf({ candles, fields }: StoredBlock): BigInt64Array {
  return widenedRecords(new BigInt64Array(new Uint8Array(candles).buffer), fields);
}

function unpacked(block: StoredBlock): Candle[] {
  const records = recordsOf(block);
  return Array.from({ length: records.length / CANDLE_FIELDS }, (_, at) => readCandle(records, at));
}

function candleOf(row: CandleRow): Candle {
  return {
    opened: Number(row.opened),
    open: row.open,
    high: row.high,
    low: row.low,
    close: row.close,
    volume: row.volume,
    turnover: row.turnover,
    count: row.deals,
    seeded: row.seeded,
    takerVolume: row.taker_volume ?? undefined,
    takerTurnover: row.taker_turnover ?? undefined,
  };
}
