import { marketDepth } from '@exchange/wire/market.ts';
import { callOver } from '../calling.ts';
import { TRADED } from './order-draws.ts';

const READ_EVERY_MS = 500;

/** The best price of the traded pair, read again and again; the last one serves while the server is away. */
export class MarketPrice {
  value = 0;
  private readonly urls: readonly string[];
  private timer: NodeJS.Timeout | undefined;

  constructor(urls: readonly string[]) {
    this.urls = urls;
  }

  /** Resolves once there is a first price. */
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
        this.value = (await bestPrice(url, TRADED.symbol)) ?? this.value;
        return;
      } catch {
        // This server is being killed or waits as a standby; the next one may answer.
      }
    }
  }
}

/** The best bid of a pair, else the best ask; undefined on an empty book. Rejects when the server gives no answer. */
export async function bestPrice(url: string, symbol: string): Promise<number | undefined> {
  const { data } = await callOver(url, marketDepth, { symbol, size: '1' });
  return data.bids[0]?.[0] ?? data.asks[0]?.[0];
}
