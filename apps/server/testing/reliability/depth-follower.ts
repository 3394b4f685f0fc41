import { setTimeout as sleep } from 'node:timers/promises';
import { FEED_PATH, type DepthMessage } from '@exchange/wire/feed.ts';
import { marketDepth } from '@exchange/wire/market.ts';
import { WebSocket } from 'ws';
import { callOver } from '../calling.ts';
import { TRADED_PAIR } from './order-draws.ts';

const RECONNECT_MS = 200;
const COMPARE_EVERY_MS = 100;
/** Number of best levels per side in which the book of the feed and that of the API must agree. */
const ROWS = 20;
const TOPIC = `depth.${TRADED_PAIR.symbol}`;

/** A reader of the traded pair's order book on the live feed, which connects again whenever its connection ends. */
export class DepthFollower {
  /** Number of attempts to connect to the live feed, including the first one and failed ones. */
  connections = 0;
  private readonly url: string;
  private socket: WebSocket | undefined;
  /** The levels of both sides, amount by price; undefined until the snapshot has arrived. */
  private book: Readonly<Record<'bids' | 'asks', Map<string, string>>> | undefined;
  private isClosed = false;

  constructor(url: string) {
    this.url = url;
    this.connect();
  }

  /**
   * Returns true when the book of the feed equals that of the API at `apiUrl`. The market moves, so the books
   * are compared until they are equal once. Returns false if they were not equal within `timeoutMs`
   * milliseconds.
   */
  async equals(apiUrl: string, timeoutMs: number): Promise<boolean> {
    const deadline = performance.now() + timeoutMs;
    while (performance.now() < deadline) {
      const before = this.top();
      const answer = await callOver(apiUrl, marketDepth, { symbol: TRADED_PAIR.symbol }).catch(
        () => undefined,
      );
      if (answer?.code === 1) {
        const { bids, asks } = answer.data;
        if ([before, this.top()].includes(JSON.stringify([bids.slice(0, ROWS), asks.slice(0, ROWS)])))
          return true;
      }
      await sleep(COMPARE_EVERY_MS);
    }
    return false;
  }

  /** Returns the best levels of both sides as JSON, in the form of the API; undefined without a book. */
  private top(): string | undefined {
    if (this.book === undefined) return undefined;
    const best = (levels: ReadonlyMap<string, string>, sign: 1 | -1) =>
      [...levels]
        .map(([price, amount]) => [Number(price), Number(amount)] as const)
        .toSorted(([left], [right]) => sign * (left - right))
        .slice(0, ROWS);
    return JSON.stringify([best(this.book.bids, -1), best(this.book.asks, 1)]);
  }

  close(): void {
    this.isClosed = true;
    this.socket?.terminate();
  }

  private connect(): void {
    if (this.isClosed) return;
    this.connections += 1;
    this.book = undefined;
    const socket = new WebSocket(`${this.url.replace('http', 'ws')}${FEED_PATH}`);
    this.socket = socket;
    socket.on('open', () => socket.send(JSON.stringify({ op: 'subscribe', topics: [TOPIC] })));
    socket.on('error', () => undefined);
    socket.on('close', () => setTimeout(() => this.connect(), RECONNECT_MS));
    socket.on('message', (bytes: Buffer) => {
      const { topic, type, data } = JSON.parse(bytes.toString('utf8')) as {
        readonly topic?: string;
        readonly type?: 'snapshot' | 'update';
        readonly data?: DepthMessage;
      };
      if (topic !== TOPIC || data === undefined) return;
      if (type === 'snapshot') this.book = { bids: new Map(), asks: new Map() };
      for (const side of ['bids', 'asks'] as const)
        for (const [price, amount] of data[side])
          if (amount === '0') this.book?.[side].delete(price);
          else this.book?.[side].set(price, amount);
    });
  }
}
