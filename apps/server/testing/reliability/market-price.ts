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
        const { data } = await callOver(url, marketDepth, { symbol: TRADED.symbol, size: '1' });
        this.value = data.bids[0]?.[0] ?? data.asks[0]?.[0] ?? this.value;
        return;
      } catch {
        // This server is being killed or waits as a standby; the next one may answer.
      }
    }
  }
}
