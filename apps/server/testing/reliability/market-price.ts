import { marketDepth } from '@exchange/wire/market.ts';
import { callOver } from '../calling.ts';
import { TRADED_PAIR } from './order-draws.ts';

const READ_EVERY_MS = 500;

/**
 * The price of the best bid of the traded pair, or of the best ask if there are no bids, polled every
 * `READ_EVERY_MS`. While no server responds or the book is empty, `value` is the last known price; 0 before
 * the first one.
 */
export class MarketPrice {
  value = 0;
  private readonly urls: readonly string[];
  private timer: NodeJS.Timeout | undefined;

  constructor(urls: readonly string[]) {
    this.urls = urls;
  }

  /** Starts polling the price. Resolves when the first price is available. */
  async start(): Promise<void> {
    while (this.value === 0) await this.read();
    this.timer = setInterval(() => void this.read(), READ_EVERY_MS);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async read(): Promise<void> {
    for (const url of this.urls) {
      try {
        this.value = (await bestPrice(url, TRADED_PAIR.symbol)) ?? this.value;
        return;
      } catch {
        // This server has been killed or is a standby. The loop tries the next URL.
      }
    }
  }
}

/**
 * Returns the price of the best bid of a pair, or of the best ask if there are no bids; undefined for an
 * empty book. Rejects if the server does not respond.
 */
export async function bestPrice(url: string, symbol: string): Promise<number | undefined> {
  const { data } = await callOver(url, marketDepth, { symbol, size: '1' });
  return data.bids[0]?.[0] ?? data.asks[0]?.[0];
}
