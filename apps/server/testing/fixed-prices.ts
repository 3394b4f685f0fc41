import { Decimal } from '@exchange/core/decimal.ts';
import { later } from '@exchange/core/time.ts';
import type { ListedPair } from '../src/modules/assets/index.ts';
import type { Venue, VenueQuote } from '../src/modules/market/index.ts';
import type { Clock } from '../src/platform/clock.ts';

/** Initial test prices in USDT per coin. */
const COIN_PRICES: Readonly<Record<string, string>> = {
  USDT: '1',
  BTC: '50000',
  ETH: '2500',
  EOS: '0.5',
  LTC: '100',
  XRP: '2',
  ADA: '0.5',
  DOGE: '0.2',
  SHIB: '0.00001',
  ORCH: '0.0125',
};
const VENUES = ['one', 'two', 'three'] as const;
/**
 * Interval in milliseconds between two quotes of a source. It is short enough that each second of the index has a
 * quote.
 */
const QUOTE_EVERY_MS = 400;
/**
 * Age of a quote in milliseconds. It is old enough for the second whose index is computed next, and young enough not to
 * be stale.
 */
const QUOTE_AGE_MS = 1_500;
const PRICE_PLACES = 9;

/** Three price sources with the same prices, which change only by `set`. */
export class FixedPrices {
  readonly venues: readonly Venue[];
  private readonly clock: Clock;
  private readonly prices: Map<string, Decimal>;
  private readonly emits = new Map<string, (quote: VenueQuote) => void>();
  private timer: NodeJS.Timeout | undefined;
  /** While true, no source emits quotes, so that the index becomes stale. */
  isSilent = false;
  /** Symbols of the pairs for which no source emits quotes, so that their index becomes stale. */
  readonly silentPairs = new Set<string>();

  constructor(clock: Clock, pairs: readonly ListedPair[]) {
    this.clock = clock;
    this.prices = new Map(
      pairs.map(({ pair }) => [
        pair.symbol,
        usdtPrice(pair.base).over(usdtPrice(pair.quote), 'down', PRICE_PLACES),
      ]),
    );
    this.venues = VENUES.map((id) => ({
      id,
      start: (emit) => this.startVenue(id, emit),
      stop: () => this.stopVenue(id),
    }));
  }

  set(symbol: string, price: string): void {
    this.prices.set(symbol, Decimal.parse(price));
    this.quote();
  }

  /** Emits the current prices of every price source, except those of silent pairs; nothing if all prices are silent. */
  quote(): void {
    if (this.isSilent) return;
    const at = later(this.clock.now(), -QUOTE_AGE_MS);
    for (const emit of this.emits.values())
      for (const [symbol, price] of this.prices)
        if (!this.silentPairs.has(symbol)) emit({ symbol, price, at, receivedAt: at });
  }

  private startVenue(id: string, emit: (quote: VenueQuote) => void): void {
    this.emits.set(id, emit);
    this.quote();
    this.timer ??= setInterval(() => this.quote(), QUOTE_EVERY_MS);
  }

  private stopVenue(id: string): void {
    this.emits.delete(id);
    if (this.emits.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

function usdtPrice(coin: string): Decimal {
  return Decimal.parse(COIN_PRICES[coin]!);
}
