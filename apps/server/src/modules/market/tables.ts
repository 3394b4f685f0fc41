import type { Generated } from 'kysely';

/**
 * Rows of the market tables as the driver returns them: 64-bit integers as bigint, numeric as text.
 */
export type MarketTables = {
  market_book_part: BookPartRow;
  market_candle: CandleRow;
  market_candle_block: CandleBlockRow;
  market_deal: DealRow;
  market_progress: ProgressRow;
  market_source_change: SourceChangeRow;
  market_tape: TapeRow;
  market_tape_hour: TapeHourRow;
};

/**
 * A single candle, not packed into a block. Prices are in ticks, volume in lots, turnover in units
 * of the pair's turnover scale.
 */
export type CandleRow = {
  symbol: string;
  timer: string;
  opened: bigint;
  open: bigint;
  high: bigint;
  low: bigint;
  close: bigint;
  volume: bigint;
  turnover: bigint;
  deals: number;
  seeded: boolean;
  /** Null if the takers of some trades of the candle were not counted. */
  taker_volume: bigint | null;
  /** Null exactly if `taker_volume` is. */
  taker_turnover: bigint | null;
};

/** A block of closed candles in their binary form. */
export type CandleBlockRow = {
  symbol: string;
  timer: string;
  block: bigint;
  candles: Buffer;
  /** Number of 64-bit integers per candle. */
  fields: number;
};

export type DealRow = {
  symbol: string;
  sequence: bigint;
  trade_id: string;
  price: bigint;
  amount: bigint;
  taker_side: string;
  at: bigint;
};

export type ProgressRow = {
  single: boolean;
  deal_sequence: bigint;
  path: unknown;
};

export type SourceChangeRow = {
  number: Generated<bigint>;
  source: string;
  is_on: boolean;
  note: unknown;
  changed_by: string;
  reason: string;
  at: bigint;
};

export type TapeRow = {
  symbol: string;
  seq: bigint;
  t: bigint;
  hash: string;
  line: string;
};

export type TapeHourRow = {
  symbol: string;
  hour: bigint;
  first_seq: bigint;
  last_seq: bigint;
  last_t: bigint;
  last_hash: string;
  sha256: Buffer;
  lines: Buffer;
};

export type BookPartRow = {
  symbol: string;
  seq: bigint;
  from_at: bigint;
  until_at: bigint;
  first_step: bigint | null;
  last_step: bigint | null;
  changes: number;
  hash: string;
  signing_key: string;
  signature: string;
  content: Buffer;
};
