import type { UserId } from '@exchange/core/ids.ts';
import { isPrivateTopic, isTopic } from '@exchange/wire/feed.ts';
import pLimit from 'p-limit';
import type { Clock } from '../clock.ts';
import { inLane } from '../database/lanes.ts';
import type { FeedRelay } from '../feed/feed.ts';
import type { TextSocket } from '../feed/text-sockets.ts';
import type { SharedFrame } from '../feed/frame.ts';
import { plainJson } from '../http/exact-json.ts';
import type { Sessions } from '../http/sessions.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { FactStream } from './facts.ts';
import { FIELD, LINE, SUBJECTS, type Link } from './link.ts';

/** Streams of events for trading programs, by name. */
export interface NamedStreams {
  /** Adds a reader to the stream with a name. Returns false for an unknown name. */
  join(name: string, socket: TextSocket, framing: 'bare'): boolean;
  leave(name: string, socket: TextSocket): void;
}

export interface ClusterPublisherOptions {
  readonly link: Link;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Sources of the published data. They exist only after all modules have been built. */
export interface PublishedParts {
  readonly sessions: Sessions;
  /** Returns the epoch of this writer. Called when publishing starts. */
  readonly epoch: () => bigint;
  /**
   * Returns the current state of a topic, as a promise if the state is read from the database; undefined for an unknown
   * topic. `userId` is set for private topics.
   */
  readonly snapshot: (topic: string, userId: UserId | undefined) => unknown;
  /**
   * Returns the ids of the accounts that several people share. Feed nodes apply a higher limit of concurrent
   * connections to them.
   */
  readonly sharedUsers: () => Iterable<UserId>;
  /** Streams for trading programs: of market data by name, and of users' events by their listen keys. */
  readonly streams: { readonly market: NamedStreams; readonly users: NamedStreams };
}

const WRITER_EVERY_MS = 200;
/**
 * Milliseconds without a message after which a feed node is removed with all its topics. It registers again with its
 * next message. Each node sends a message at least every second.
 */
const NODE_SILENT_MS = 10_000;
const NODES_MAX = 256;
/**
 * Maximum number of topics and streams that a feed node may follow. Requests for further ones are answered as if they
 * did not exist. Each connected user adds a few.
 */
const INTERESTS_MAX = 500_000;
/**
 * Maximum number of snapshots of private topics that are loaded from the database at the same time, for all feed nodes
 * together. Further ones wait, up to `SNAPSHOTS_WAITING_MAX` of each feed node, loading ones included.
 */
const SNAPSHOTS_AT_ONCE = 16;
const SNAPSHOTS_WAITING_MAX = 1_024;

/** A feed node that receives topics from this writer. */
interface FeedNode {
  readonly name: string;
  readonly facts: FactStream;
  /** Keys of the topics and streams that the node receives, each with a function that ends it. */
  readonly interests: Map<string, () => void>;
  heardMs: number;
  snapshotsWaiting: number;
}

/**
 * The writer's end of the connection to feed nodes. It publishes a topic's facts as long as a node receives the topic,
 * answers requests for snapshots, and announces the numbers of its last messages, by which nodes detect lost ones. API
 * nodes receive its announcements and its reports of ended sessions too.
 */
export class ClusterPublisher implements FeedRelay {
  private readonly options: ClusterPublisherOptions;
  private readonly nodes = new Map<string, FeedNode>();
  /** The feed nodes that receive each topic, by the key of `keyOf`. */
  private readonly followers = new Map<string, Set<FeedNode>>();
  /** Readers of market data streams, by name, each with the number of nodes that receive it. */
  private readonly marketRelays = new Map<string, { readonly relay: RelaySocket; nodes: number }>();
  private readonly snapshots = pLimit(SNAPSHOTS_AT_ONCE);
  private parts: PublishedParts | undefined;
  private epoch = 0n;
  private facts: FactStream | undefined;
  private registrations = 0;
  private timer: NodeJS.Timeout | undefined;
  private endRequests: () => void = () => undefined;
  private readonly counted: { facts: { add(): void }; snapshots: { add(): void } };

  constructor(options: ClusterPublisherOptions) {
    this.options = options;
    const { metrics, link } = options;
    metrics.gauge('cluster_nodes', 'Feed nodes that follow this writer', () => this.nodes.size);
    metrics.gauge(
      'cluster_followed_topics',
      'Topics that feed nodes follow, private ones per user',
      () => this.followers.size,
    );
    metrics.gauge('cluster_dropped_messages', 'Messages not sent, since the start', () => link.dropped);
    this.counted = {
      facts: metrics.counter('cluster_facts_total', 'Facts sent to feed nodes'),
      snapshots: metrics.counter('cluster_snapshots_total', 'Snapshots sent to feed nodes'),
    };
  }

  /** Starts to publish as the writer of `parts.epoch()`. Call it when the state is loaded. */
  start(parts: PublishedParts): void {
    const { link, log } = this.options;
    this.parts = parts;
    this.epoch = parts.epoch();
    this.facts = new FactStream({ link, subject: SUBJECTS.facts, generation: String(this.epoch) });
    this.endRequests = link.subscribe(SUBJECTS.toWriter(this.epoch), (payload) => this.receive(payload));
    parts.sessions.onSessionEnded((sessionId, userId) => {
      link.publish(SUBJECTS.sessionEnded, Buffer.from(`${sessionId}${FIELD}${userId}`));
    });
    this.timer = setInterval(() => this.announce(), WRITER_EVERY_MS);
    this.announce();
    log.info('cluster.writing', { epoch: String(this.epoch) });
  }

  /** Stops publishing. Feed nodes then wait for the next writer. */
  stop(): void {
    clearInterval(this.timer);
    this.endRequests();
    for (const node of this.nodes.values()) this.remove(node);
    this.facts?.flush();
    this.facts = undefined;
  }

  isFollowed(topic: string, userId?: UserId): boolean {
    return this.followers.has(keyOf(topic, userId));
  }

  publish(topic: string, userId: UserId | undefined, json: string): void {
    const nodes = this.followers.get(keyOf(topic, userId));
    if (nodes === undefined) return;
    const line = ['update', topic, userId ?? '', json].join(FIELD);
    if (userId === undefined) this.append(this.facts, line);
    else for (const { facts } of nodes) this.append(facts, line);
  }

  private append(facts: FactStream | undefined, line: string): void {
    if (facts === undefined) return;
    this.counted.facts.add();
    facts.append(line);
  }

  private announce(): void {
    const { link, clock } = this.options;
    const nowMs = clock.monotonicMs();
    for (const node of this.nodes.values())
      if (nowMs - node.heardMs > NODE_SILENT_MS) {
        this.remove(node);
        this.options.log.warn('cluster.node_gone', { node: node.name });
      }
    this.facts?.flush();
    const lines = [[this.epoch, this.facts?.messages ?? 0, Math.floor(nowMs)].join(FIELD)];
    for (const { name, facts } of this.nodes.values()) {
      facts.flush();
      lines.push([name, facts.generation, facts.messages].join(FIELD));
    }
    link.publish(SUBJECTS.writer, Buffer.from(lines.join(LINE)));
  }

  /**
   * Handles a message of a feed node: its name, followed by one request per line. An unknown node is registered first;
   * if that is not possible, the message is ignored.
   */
  private receive(payload: Uint8Array): void {
    const [name = '', ...requests] = Buffer.from(payload).toString('utf8').split(LINE);
    const node = this.nodes.get(name) ?? this.register(name);
    if (node === undefined) return;
    node.heardMs = this.options.clock.monotonicMs();
    for (const request of requests) this.serve(node, request.split(FIELD));
  }

  private register(name: string): FeedNode | undefined {
    const { link, clock, log } = this.options;
    if (!/^[A-Za-z0-9-]{1,64}$/.test(name) || this.nodes.size >= NODES_MAX) {
      log.warn('cluster.node_refused', { node: name.slice(0, 64) });
      return undefined;
    }
    this.registrations += 1;
    const generation = `${this.epoch}.${this.registrations}`;
    const node: FeedNode = {
      name,
      facts: new FactStream({ link, subject: SUBJECTS.factsOf(name), generation }),
      interests: new Map(),
      heardMs: clock.monotonicMs(),
      snapshotsWaiting: 0,
    };
    this.nodes.set(name, node);
    for (const userId of this.parts?.sharedUsers() ?? []) node.facts.append(['shared', userId].join(FIELD));
    log.info('cluster.node_joined', { node: name });
    return node;
  }

  private remove(node: FeedNode): void {
    this.nodes.delete(node.name);
    for (const end of node.interests.values()) end();
    node.interests.clear();
  }

  private serve(node: FeedNode, [kind, ...fields]: readonly string[]): void {
    const [first = '', second = '', third = ''] = fields;
    switch (kind) {
      case 'open':
        this.open(node, first, { topic: second, userId: third === '' ? undefined : (third as UserId) });
        return;
      case 'close':
        this.end(node, keyOf(first, second === '' ? undefined : second));
        return;
      case 'read':
        this.openStream(node, first, { name: second, address: third });
        return;
      case 'leave':
        this.end(node, streamKey(first, second));
        return;
      case 'bye':
        this.remove(node);
        this.options.log.info('cluster.node_left', { node: node.name });
        return;
      default:
      // A newer version of a feed node may send kinds of requests that this version does not have; they are ignored.
    }
  }

  private end(node: FeedNode, key: string): void {
    node.interests.get(key)?.();
    node.interests.delete(key);
  }

  /**
   * Begins to send a topic's facts to a feed node, and sends the topic's snapshot. Answers `absent` if the
   * topic is invalid or unknown, or if the node already receives `INTERESTS_MAX` topics and streams.
   */
  private open(
    node: FeedNode,
    requestId: string,
    { topic, userId }: { readonly topic: string; readonly userId: UserId | undefined },
  ): void {
    const key = keyOf(topic, userId);
    const isFit = isTopic(topic) && isPrivateTopic(topic) === (userId !== undefined);
    if (!isFit || node.interests.size >= INTERESTS_MAX) {
      this.answer(node, requestId, 0, 'absent');
      return;
    }
    if (!node.interests.has(key)) this.follow(node, key);
    if (userId === undefined) void this.sendSnapshot(node, requestId, { topic, userId });
    // If `SNAPSHOTS_WAITING_MAX` snapshots of the node wait, the request is dropped. The node repeats it
    // later.
    else if (node.snapshotsWaiting < SNAPSHOTS_WAITING_MAX) {
      node.snapshotsWaiting += 1;
      void this.snapshots(() => this.sendSnapshot(node, requestId, { topic, userId })).finally(() => {
        node.snapshotsWaiting -= 1;
      });
    }
  }

  private follow(node: FeedNode, key: string): void {
    const nodes = this.followers.get(key) ?? new Set<FeedNode>();
    nodes.add(node);
    this.followers.set(key, nodes);
    node.interests.set(key, () => {
      nodes.delete(node);
      if (nodes.size === 0 && this.followers.get(key) === nodes) this.followers.delete(key);
    });
  }

  private async sendSnapshot(
    node: FeedNode,
    requestId: string,
    { topic, userId }: { readonly topic: string; readonly userId: UserId | undefined },
  ): Promise<void> {
    const facts = userId === undefined ? this.facts : node.facts;
    if (facts === undefined || this.nodes.get(node.name) !== node) return;
    // The number of the last fact is read before the snapshot is loaded. The snapshot may already contain later facts,
    // which the node receives as well.
    const { position } = facts;
    try {
      const computed = inLane('requests', () => this.parts?.snapshot(topic, userId));
      // A snapshot from memory is no promise and is created in this turn of the event loop, so it contains
      // exactly the facts up to the number `position`. A snapshot that is awaited may contain later facts.
      const data = computed instanceof Promise ? await computed : computed;
      if (data === undefined) {
        this.end(node, keyOf(topic, userId));
        this.answer(node, requestId, position, 'absent');
      } else this.answer(node, requestId, position, 'found', plainJson(data));
    } catch (cause) {
      this.options.log.error('feed.snapshot_failed', { topic, cause });
      this.end(node, keyOf(topic, userId));
      this.answer(node, requestId, position, 'failed');
    }
  }

  private answer(
    { facts }: FeedNode,
    requestId: string,
    position: number,
    status: 'found' | 'absent' | 'failed',
    json = '',
  ): void {
    this.counted.snapshots.add();
    facts.append(['snapshot', requestId, position, status, json].join(FIELD));
  }

  /**
   * Begins to send a stream for trading programs to a feed node. If `address` is empty, the stream contains
   * market data; otherwise it contains a user's events, and `address` is the reader's network address.
   * Answers whether the stream exists and the node does not yet receive `INTERESTS_MAX` topics and streams.
   */
  private openStream(
    node: FeedNode,
    requestId: string,
    { name, address }: { readonly name: string; readonly address: string },
  ): void {
    const { parts } = this;
    const key = streamKey(name, address);
    // The user's listen key may have expired since the node opened the stream, so it is checked again.
    if (address !== '') this.end(node, key);
    const isKnown =
      node.interests.has(key) ||
      (parts !== undefined &&
        node.interests.size < INTERESTS_MAX &&
        (address === ''
          ? this.readMarket(node, name, parts)
          : this.readUser(node, { name, address }, parts)));
    node.facts.append(['opened', requestId, isKnown ? 'yes' : 'no'].join(FIELD));
  }

  private readMarket(node: FeedNode, name: string, { streams: { market } }: PublishedParts): boolean {
    const existing = this.marketRelays.get(name);
    const entry = existing ?? { relay: new RelaySocket(name, '', () => this.facts), nodes: 0 };
    if (existing === undefined && !market.join(name, entry.relay, 'bare')) return false;
    entry.nodes += 1;
    this.marketRelays.set(name, entry);
    node.interests.set(streamKey(name, ''), () => {
      entry.nodes -= 1;
      if (entry.nodes > 0) return;
      this.marketRelays.delete(name);
      market.leave(name, entry.relay);
    });
    return true;
  }

  private readUser(
    node: FeedNode,
    { name, address }: { readonly name: string; readonly address: string },
    { streams: { users } }: PublishedParts,
  ): boolean {
    const relay = new RelaySocket(name, address, () => node.facts, node.facts.generation);
    if (!users.join(name, relay, 'bare')) return false;
    node.interests.set(streamKey(name, address), () => users.leave(name, relay));
    return true;
  }
}

/** Reads a stream for trading programs on behalf of feed nodes, and publishes the stream's messages as facts. */
class RelaySocket implements TextSocket {
  readonly id: string;
  readonly url = '';
  readonly address: string;
  readonly addressGroup: string;
  readonly isOpen = true;
  private readonly name: string;
  private readonly facts: () => FactStream | undefined;

  /**
   * `generation` is the part of the reader's `id` that distinguishes it from readers of the same stream for other
   * nodes. It is empty for a reader that all nodes share.
   */
  constructor(name: string, address: string, facts: () => FactStream | undefined, generation = '') {
    this.id = `relay ${generation} ${name} ${address}`;
    this.name = name;
    this.address = address;
    this.addressGroup = address;
    this.facts = facts;
  }

  write(frame: SharedFrame): void {
    this.sendText(frame.text);
  }

  sendText(text: string): void {
    this.facts()?.append(['stream', this.name, this.address, text].join(FIELD));
  }

  close(): void {
    this.facts()?.append(['ended', this.name, this.address].join(FIELD));
  }
}

/**
 * Returns the key of a topic: of a public topic if `userId` is undefined, otherwise of that user's private
 * topic.
 */
export function keyOf(topic: string, userId: string | undefined): string {
  return userId === undefined ? topic : `${topic}:${userId}`;
}

/**
 * Returns the key of a stream for trading programs. `address` is the network address of the program that
 * reads a user's events, and empty for streams of market data.
 */
export function streamKey(name: string, address: string): string {
  return `stream ${name} ${address}`;
}
