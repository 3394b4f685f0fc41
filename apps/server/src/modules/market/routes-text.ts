import type { Candle } from './domain/candle-record.ts';
import type { CandleSeries } from './domain/candle-series.ts';
import { isSeeded, type PairMarket } from './domain/pair-market.ts';
import type { PairScale } from './domain/pair-scale.ts';
import type { BookLevel } from './domain/public-book.ts';
import type { Ticker } from './domain/rolling-ticker.ts';

/**
 * JSON texts of the market endpoints. Numbers keep all their digits; a text is written once per change and
 * reused.
 */

/** Formats `units × 10^-digits` as a plain JSON number without trailing zeros. */
export function numberText(units: bigint, digits: number): string {
  const text = units.toString();
  if (digits === 0) return text;
  const padded = text.length > digits ? text : text.padStart(digits + 1, '0');
  const point = padded.length - digits;
  let end = padded.length;
  while (end > point && padded.charCodeAt(end - 1) === 48) end -= 1;
  return end === point ? padded.slice(0, point) : `${padded.slice(0, point)}.${padded.slice(point, end)}`;
}

function candleFields(scale: PairScale, candle: Omit<Ticker, 'opened'>): string {
  const price = (ticks: bigint) => numberText(ticks, scale.priceDigits);
  return (
    `"open":${price(candle.open)},"close":${price(candle.close)},"high":${price(candle.high)},` +
    `"low":${price(candle.low)},"vol":${numberText(candle.volume, scale.amountDigits)},` +
    `"amount":${numberText(candle.turnover, scale.turnoverDigits)},"count":${candle.count},` +
    `"seeded":${candle.seeded ? 1 : 0}`
  );
}

export function candleText(scale: PairScale, candle: Candle): string {
  return `{"id":${candle.opened},${candleFields(scale, candle)}}`;
}

/**
 * JSON of a ticker; `ts` is in milliseconds. A pair without candles (`ticker` is undefined) has `reference`, in ticks,
 * as all prices and no volume.
 */
export function tickText(
  scale: PairScale,
  ticker: Ticker | undefined,
  reference: bigint,
  ts: number,
): string {
  if (ticker !== undefined) return `{"id":${ticker.opened},${candleFields(scale, ticker)},"ts":${ts}}`;
  const price = { open: reference, close: reference, high: reference, low: reference };
  const emptyTicker = { ...price, volume: 0n, turnover: 0n, count: 0, seeded: false };
  return `{"id":${Math.floor(ts / 1_000)},${candleFields(scale, emptyTicker)},"ts":${ts}}`;
}

export function depthText(market: PairMarket, rows: number, ts: number): string {
  const { book, scale } = market;
  const level = ({ price, amount }: BookLevel) =>
    `[${numberText(price, scale.priceDigits)},${numberText(amount, scale.amountDigits)}]`;
  const side = (levels: readonly BookLevel[]) => `[${levels.map(level).join(',')}]`;
  const bids = side(book.top('buy', rows));
  const asks = side(book.top('sell', rows));
  return `{"bids":${bids},"asks":${asks},"ts":${ts},"version":${book.version}}`;
}

export function dealsText({ deals, scale }: PairMarket, size: number): string {
  const lines = deals
    .slice(0, size)
    .map(
      (deal) =>
        `{"id":${JSON.stringify(deal.tradeId)},"ts":${deal.at},"price":${numberText(deal.price, scale.priceDigits)},` +
        `"amount":${numberText(deal.amount, scale.amountDigits)},"direction":"${deal.takerSide}",` +
        `"seeded":${isSeeded(deal) ? 1 : 0}}`,
    );
  return `[${lines.join(',')}]`;
}

/**
 * JSON of one candle series. The JSON of the closed candles is written again only when a candle opens or a
 * closed one changes, that of the current candle after every change.
 */
export class SeriesText {
  private readonly scale: PairScale;
  private readonly series: CandleSeries;
  private opened = -1;
  private closed = '';
  /** Offset of each closed candle's JSON in `closed`. */
  private starts: number[] = [];
  private version = -1;
  private running = '';

  constructor(scale: PairScale, series: CandleSeries) {
    this.scale = scale;
    this.series = series;
  }

  /**
   * JSON array of the latest `size` candles in memory, oldest first, the running one included; fewer if fewer are in
   * memory.
   */
  latest(size: number): string {
    this.refresh();
    if (this.series.length === 0) return '[]';
    const start = this.starts[Math.max(0, this.starts.length - (size - 1))];
    return start === undefined ? `[${this.running}]` : `[${this.closed.slice(start)}${this.running}]`;
  }

  private refresh(): void {
    const { series } = this;
    if (this.opened !== series.opened) this.rewrite();
    if (this.version === series.version) return;
    const last = series.last();
    this.running = last === undefined ? '' : candleText(this.scale, last);
    this.version = series.version;
  }

  private rewrite(): void {
    const parts: string[] = [];
    const starts: number[] = [];
    let length = 0;
    for (let position = 0; position < this.series.length - 1; position += 1) {
      const text = `${candleText(this.scale, this.series.at(position))},`;
      starts.push(length);
      parts.push(text);
      length += text.length;
    }
    this.closed = parts.join('');
    this.starts = starts;
    this.opened = this.series.opened;
  }
}

/**
 * The newest `size` candle records in memory (not as text) that opened before a second, or all if there are
 * fewer, oldest first.
 */
export function recentCandlesBefore(series: CandleSeries, beforeSecond: number, size: number): Candle[] {
  const end = series.positionFrom(beforeSecond);
  const candles: Candle[] = [];
  for (let position = Math.max(0, end - size); position < end; position += 1)
    candles.push(series.at(position));
  return candles;
}
