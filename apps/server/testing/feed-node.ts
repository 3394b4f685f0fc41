import { FEED_PATH, type ClientMessage } from '@exchange/wire/feed.ts';
import { WebSocket } from 'ws';
import type { ClusterNode } from '../src/cluster-node.ts';
import { createFeedNode } from '../src/feed-node.ts';
import type { Link } from '../src/platform/cluster/link.ts';
import { NO_ADMISSION_LIMITS } from '../src/platform/http/admission.ts';
import { NO_LIMITS } from '../src/platform/limits/limits.ts';
import { systemClock } from '../src/platform/clock.ts';
import { urlOf, withRuntimeRole, type TestDatabase } from './database.ts';
import { eventually } from './eventually.ts';
import { nodeConfig } from './node-config.ts';
import { recordingLog } from './recording-log.ts';

/** A message link between processes that drops the messages selected by `loses`. */
export class LossyLink implements Link {
  /** Returns true for a received message that the link drops. */
  loses: (subject: string) => boolean = () => false;
  private readonly link: Link;

  constructor(link: Link) {
    this.link = link;
  }

  get isConnected(): boolean {
    return this.link.isConnected;
  }

  get dropped(): number {
    return this.link.dropped;
  }

  publish(subject: string, payload: Uint8Array): void {
    this.link.publish(subject, payload);
  }

  subscribe(subject: string, receive: (payload: Uint8Array) => void): () => void {
    return this.link.subscribe(subject, (payload) => {
      if (!this.loses(subject)) receive(payload);
    });
  }

  close(): Promise<void> {
    return this.link.close();
  }
}

/** A running feed node for a test's exchange. */
export interface TestFeedNode {
  readonly node: ClusterNode;
  readonly url: string;
  readonly consoleUrl: string;
  readonly log: ReturnType<typeof recordingLog>;
  close(): Promise<void>;
}

/**
 * Starts a feed node that reads sessions from `database` and receives messages over `link`. `natsUrl` only fills a
 * required setting. The node does not connect to it.
 */
export async function aFeedNode(
  database: TestDatabase,
  { link, natsUrl }: { readonly link: Link; readonly natsUrl: string },
): Promise<TestFeedNode> {
  const { config, remove } = nodeConfig({
    ROLE: 'feed',
    NATS_URL: natsUrl,
    DATABASE_URL: urlOf(withRuntimeRole(database.connection)),
  });
  const log = recordingLog();
  const node = await createFeedNode({
    config,
    clock: systemClock,
    log,
    link,
    databaseLog: () => undefined,
    limits: NO_LIMITS,
    admissionLimits: NO_ADMISSION_LIMITS,
  });
  const { app, console } = await node.listen();
  return {
    node,
    url: app,
    consoleUrl: console,
    log,
    close: async () => {
      await node.stop();
      await link.close();
      remove();
    },
  };
}

/** A message of the live feed. */
export interface FeedMessage {
  readonly op?: string;
  readonly errKey?: string;
  readonly topic?: string;
  readonly type?: 'snapshot' | 'update';
  readonly seq?: number;
  readonly data?: unknown;
}

/**
 * A client of the live feed that records its messages. An update whose number does not follow that of the previous
 * message of its topic throws in the event handler, which fails the test.
 */
export class FeedClient {
  readonly received: FeedMessage[] = [];
  readonly closed: Promise<number>;
  isOpen = true;
  private readonly socket: WebSocket;
  private readonly seqs = new Map<string, number>();

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (bytes: Buffer) => this.receive(JSON.parse(bytes.toString()) as FeedMessage));
    socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => {
      socket.on('close', (code) => {
        this.isOpen = false;
        resolve(code);
      });
    });
  }

  static async open(url: string): Promise<FeedClient> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}${FEED_PATH}`);
    const client = new FeedClient(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => resolve());
      socket.once('error', reject);
    });
    return client;
  }

  send(message: ClientMessage): void {
    this.socket.send(JSON.stringify(message));
  }

  async signIn(token: string): Promise<void> {
    this.send({ op: 'auth', token });
    await eventually(() => {
      if (!this.received.some(({ op }) => op === 'authenticated')) throw new Error('not signed in');
    });
  }

  of(topic: string): FeedMessage[] {
    return this.received.filter((message) => message.topic === topic);
  }

  snapshots(topic: string): number {
    return this.of(topic).filter(({ type }) => type === 'snapshot').length;
  }

  /**
   * Returns the order book after all received messages of the topic: `[price, amount]` per level, best levels
   * first.
   */
  book(topic: string): Readonly<Record<'bids' | 'asks', [number, number][]>> {
    const sides = { bids: new Map<string, string>(), asks: new Map<string, string>() };
    for (const { type, data } of this.of(topic)) {
      const { bids = [], asks = [] } = data as Partial<Record<'bids' | 'asks', [string, string][]>>;
      if (type === 'snapshot') for (const side of Object.values(sides)) side.clear();
      for (const [side, levels] of [
        [sides.bids, bids],
        [sides.asks, asks],
      ] as const)
        for (const [price, amount] of levels)
          if (Number(amount) === 0) side.delete(price);
          else side.set(price, amount);
    }
    const sorted = (side: Map<string, string>, direction: number) =>
      [...side]
        .map(([price, amount]): [number, number] => [Number(price), Number(amount)])
        .toSorted(([left], [right]) => direction * (left - right));
    return { bids: sorted(sides.bids, -1), asks: sorted(sides.asks, 1) };
  }

  close(): void {
    this.socket.terminate();
  }

  private receive(message: FeedMessage): void {
    const { topic, type, seq = 0 } = message;
    if (topic !== undefined) {
      const last = this.seqs.get(topic);
      if (type === 'update' && seq !== (last ?? Number.NaN) + 1)
        throw new Error(`${topic}: update ${seq} after ${last}`);
      this.seqs.set(topic, seq);
    }
    this.received.push(message);
  }
}
