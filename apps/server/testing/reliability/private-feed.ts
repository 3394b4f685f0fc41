import { once } from 'node:events';
import {
  FEED_PATH,
  type AssetMessage,
  type Fill,
  type Order,
  type OrderMessage,
} from '@exchange/wire/feed.ts';
import { WebSocket } from 'ws';

interface TopicMessage {
  readonly topic?: string;
  readonly type?: 'snapshot' | 'update';
  readonly seq?: number;
  readonly data?: unknown;
}

const TOPICS = ['order', 'asset'];

/** State of a user's orders, fills and balances from the private feed, maintained as an app would. */
export class PrivateFeed {
  readonly orders = new Map<string, Order>();
  /** Fills by trade id and order id, because both sides of a trade may be the user's. */
  readonly fills = new Map<string, Fill>();
  /** The last published trigger price of each trailing stop, by order id. */
  readonly triggers = new Map<string, string>();
  readonly balances = new Map<string, AssetMessage[number]>();
  /** Descriptions of messages of the feed that are missing or contradict earlier ones. */
  readonly problems: string[] = [];
  private readonly socket: WebSocket;
  private readonly sequences = new Map<string, number>();

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (bytes: Buffer) => this.receive(JSON.parse(bytes.toString('utf8')) as TopicMessage));
  }

  /**
   * Connects to the feed, signs in and waits for the snapshots. `address` is the user's IP address
   * as the server sees it.
   */
  static async open(url: string, token: string, address: string): Promise<PrivateFeed> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}${FEED_PATH}`, {
      headers: { 'x-real-ip': address },
    });
    await once(socket, 'open');
    const feed = new PrivateFeed(socket);
    socket.send(JSON.stringify({ op: 'auth', token }));
    socket.send(JSON.stringify({ op: 'subscribe', topics: TOPICS }));
    while (feed.sequences.size < TOPICS.length) await once(socket, 'message');
    return feed;
  }

  close(): void {
    this.socket.terminate();
  }

  private receive({ topic, type, seq, data }: TopicMessage): void {
    if (topic === undefined || seq === undefined) return;
    const previousSeq = this.sequences.get(topic);
    if (type === 'update' && seq !== (previousSeq ?? 0) + 1)
      this.problems.push(`${topic}: after message ${previousSeq} came ${seq}`);
    this.sequences.set(topic, seq);
    if (topic === 'order') this.storeOrders(data as OrderMessage);
    else for (const balance of data as AssetMessage) this.balances.set(balance.currency, balance);
  }

  private storeOrders({ orders, fills, stops = [] }: OrderMessage): void {
    for (const { id, stopPrice } of stops) this.triggers.set(id, stopPrice);
    for (const order of orders) this.orders.set(order.id, order);
    for (const fill of fills) {
      const name = `${fill.tradeId} ${fill.orderId}`;
      if (this.fills.has(name)) this.problems.push(`fill ${name} was told twice`);
      this.fills.set(name, fill);
    }
  }
}
