import { Decimal } from '@exchange/core/decimal.ts';
import { TAX_CURRENCY } from '@exchange/core/tax.ts';
import { instant, MINUTE_MS, SECOND_MS } from '@exchange/core/time.ts';
import type { Market } from '../market/index.ts';
import type { SourcedValue } from './domain/tax-events.ts';

const SECONDS = MINUTE_MS / SECOND_MS;

/**
 * Stored prices of coins in USDT at past times: the latest index price within the minute that ends with the second of
 * the time; without one, the closing price of the trades on the exchange in the minute that contains the time. An
 * instance reads each coin and second only once.
 */
export class StoredPrices {
  private readonly market: Pick<Market, 'tapeReader' | 'minuteClose'>;
  private readonly prices = new Map<string, Promise<SourcedValue | undefined>>();

  constructor(market: Pick<Market, 'tapeReader' | 'minuteClose'>) {
    this.market = market;
  }

  /** Number of different pairs of coin and second whose price was read or whose read was started. */
  get readCount(): number {
    return this.prices.size;
  }

  /**
   * The price of a coin in USDT with its source, at a time in milliseconds UTC; undefined if none is stored.
   */
  price(asset: string, at: number): Promise<SourcedValue | undefined> {
    const key = `${asset} ${Math.floor(at / SECOND_MS)}`;
    const known = this.prices.get(key);
    if (known !== undefined) return known;
    const read = this.read((asset + TAX_CURRENCY).toLowerCase(), at);
    this.prices.set(key, read);
    return read;
  }

  private async read(symbol: string, at: number): Promise<SourcedValue | undefined> {
    const last = Math.floor(at / SECOND_MS) * SECOND_MS;
    // The recorded index prices may lack single seconds, such as the newest ones, so the method reads those
    // of a whole minute and returns the latest.
    const seconds = Array.from({ length: SECONDS }, (_, index) => instant(last - index * SECOND_MS));
    const points = await this.market.tapeReader.points(symbol, seconds);
    for (const second of seconds) {
      const value = points.get(second);
      if (value instanceof Decimal) return { value, source: 'index' };
    }
    const close = await this.market.minuteClose(symbol, instant(at));
    return close && { value: close, source: 'candle' };
  }
}
