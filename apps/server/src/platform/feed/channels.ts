import type { UserId } from '@exchange/core/ids.ts';
import { isPrivateTopic } from '@exchange/wire/feed.ts';
import type { Clock } from '../clock.ts';
import { plainJson } from '../http/exact-json.ts';
import type { Connection, Following } from './connection.ts';
import { SharedFrame } from './frame.ts';
import { FrameDistributor, type FrameSource } from './spreader.ts';

interface ChannelOptions {
  readonly topic: string;
  readonly clock: Clock;
  readonly spreader: Pick<FrameDistributor, 'add'>;
  /** Returns the topic's current state; undefined when the topic does not exist. */
  readonly snapshot: () => unknown;
  /** Called when a snapshot failed; the subscription has ended then. */
  readonly failed: (connection: Connection, cause: unknown) => void;
  /** Called when the last subscriber has left. */
  readonly emptied: () => void;
}

interface Update {
  readonly seq: number;
  readonly frame: SharedFrame;
}

/**
 * Up to this many subscribers are written to at once. This includes private channels, which therefore lose no
 * update.
 */
const SMALL_CHANNEL = 50;
/**
 * When more updates wait for distribution or for a snapshot, they are dropped and their subscribers receive a
 * new snapshot.
 */
const WAITING_MAX = 64;
/**
 * When the oldest waiting update is older than this, all waiting updates are dropped too: under overload,
 * subscribers receive the current state with this delay at most.
 */
const DELAY_MAX_MS = 400;
/** How long a snapshot is shared by subscribers that join in quick succession. */
const SNAPSHOT_SHARED_MS = 1_000;

/** A topic with subscribers: numbers its updates and distributes each as one shared frame. */
export class Channel implements FrameSource {
  readonly topic: string;
  readonly subscriptions = new Set<Subscription>();
  readonly #options: ChannelOptions;
  readonly #updates: (Update & { readonly madeMs: number })[] = [];
  #seq = 0;
  #distribution:
    | { readonly update: Update; readonly receivers: readonly Subscription[]; next: number }
    | undefined;
  #shared: (Update & { readonly madeMs: number }) | undefined;

  constructor(options: ChannelOptions) {
    this.topic = options.topic;
    this.#options = options;
  }

  /** Adds a subscriber and sends it a snapshot first. Returns false when the topic does not exist. */
  join(connection: Connection): boolean {
    const subscription = new Subscription(this, connection);
    this.subscriptions.add(subscription);
    connection.subscriptions.set(this.topic, subscription);
    if (subscription.refresh()) return true;
    this.leave(subscription);
    return false;
  }

  leave(subscription: Subscription): void {
    this.subscriptions.delete(subscription);
    subscription.connection.subscriptions.delete(this.topic);
    if (this.subscriptions.size === 0) this.#options.emptied();
  }

  publish(data: unknown): void {
    this.#seq += 1;
    const madeMs = this.#options.clock.monotonicMs();
    const [oldest] = this.#updates;
    const isLate = oldest !== undefined && madeMs - oldest.madeMs > DELAY_MAX_MS;
    if (isLate || this.#updates.length >= WAITING_MAX) this.#updates.length = 0;
    this.#updates.push({ seq: this.#seq, frame: this.#frameOf('update', plainJson(data)), madeMs });
    if (this.subscriptions.size > SMALL_CHANNEL) this.#options.spreader.add(this);
    else while (this.sendNext(SMALL_CHANNEL));
  }

  sendNext(maxReaders: number): boolean {
    this.#distribution ??= this.#nextDistribution();
    const spreading = this.#distribution;
    if (spreading === undefined) return false;
    const { receivers, update } = spreading;
    const end = Math.min(spreading.next + maxReaders, receivers.length);
    for (; spreading.next < end; spreading.next += 1) receivers[spreading.next]?.deliver(update);
    if (end === receivers.length) this.#distribution = undefined;
    return this.#distribution !== undefined || this.#updates.length > 0;
  }

  /** The current snapshot as a numbered frame; undefined when the topic does not exist. */
  snapshot(): Update | Promise<Update> | undefined {
    const { clock, snapshot } = this.#options;
    const shared = this.#shared;
    if (shared?.seq === this.#seq && clock.monotonicMs() - shared.madeMs < SNAPSHOT_SHARED_MS) return shared;
    const seq = this.#seq;
    const data = snapshot();
    if (data === undefined) return undefined;
    if (data instanceof Promise) {
      return data.then((loaded) => ({ seq, frame: this.#frameOf('snapshot', plainJson(loaded), seq) }));
    }
    this.#shared = { seq, frame: this.#frameOf('snapshot', plainJson(data)), madeMs: clock.monotonicMs() };
    return this.#shared;
  }

  fail(subscription: Subscription, cause: unknown): void {
    this.leave(subscription);
    this.#options.failed(subscription.connection, cause);
  }

  #frameOf(type: 'snapshot' | 'update', json: string, seq = this.#seq): SharedFrame {
    const ts = this.#options.clock.now();
    const text = `{"topic":"${this.topic}","type":"${type}","seq":${seq},"ts":${ts},"data":${json}}`;
    return new SharedFrame(text, !isPrivateTopic(this.topic));
  }

  #nextDistribution() {
    const update = this.#updates.shift();
    return update && { update, receivers: [...this.subscriptions], next: 0 };
  }
}

/** A connection's subscription of a topic, with the number of the last state that was sent. */
class Subscription implements Following {
  readonly channel: Channel;
  readonly connection: Connection;
  #seq = 0;
  #isStale = false;
  /** Updates that arrived while a snapshot is loading; undefined when none is loading. */
  #waiting: Update[] | undefined;

  constructor(channel: Channel, connection: Connection) {
    this.channel = channel;
    this.connection = connection;
  }

  /** Sends an update, or a snapshot when the update does not directly follow the last sent state. */
  deliver(update: Update): void {
    if (update.seq <= this.#seq || this.#isStale || !this.channel.subscriptions.has(this)) return;
    if (this.#waiting !== undefined) {
      this.#waiting.push(update);
      return;
    }
    if (update.seq === this.#seq + 1) this.#write(update);
    else this.refresh();
  }

  leave(): void {
    this.channel.leave(this);
  }

  /** Sends a snapshot after a slow subscriber has read everything that was buffered. */
  catchUp(): void {
    if (this.#isStale && this.channel.subscriptions.has(this)) this.refresh();
  }

  /** Sends a snapshot, immediately or when it is loaded. Returns false when the topic does not exist. */
  refresh(): boolean {
    if (this.#waiting !== undefined) return true;
    this.#isStale = false;
    let snapshot: ReturnType<Channel['snapshot']>;
    try {
      snapshot = this.channel.snapshot();
    } catch (cause) {
      // A failed snapshot affects this subscriber only, not the publisher.
      this.channel.fail(this, cause);
      return true;
    }
    if (snapshot === undefined) return false;
    if (snapshot instanceof Promise) this.#sendWhenLoaded(snapshot);
    else this.#write(snapshot);
    return true;
  }

  #write(update: Update): void {
    if (this.connection.write(update.frame)) this.#seq = update.seq;
    else this.#isStale = true;
  }

  #sendWhenLoaded(loading: Promise<Update>): void {
    this.#waiting = [];
    loading.then(
      (snapshot) => {
        const updates = this.#waiting ?? [];
        this.#waiting = undefined;
        if (!this.channel.subscriptions.has(this)) return;
        this.#write(snapshot);
        if (updates.length > WAITING_MAX) this.refresh();
        else for (const update of updates) this.deliver(update);
      },
      (cause: unknown) => this.channel.fail(this, cause),
    );
  }
}

/** All registered topics, and the channels of topics with subscribers. */
export class Channels {
  readonly #clock: Clock;
  readonly #spreader: FrameDistributor;
  readonly #onFailed: (connection: Connection, topic: string, cause: unknown) => void;
  readonly #channels = new Map<string, Channel>();
  readonly #public = new Map<string, (topic: string) => unknown>();
  readonly #private = new Map<string, (userId: UserId) => Promise<unknown>>();

  /** `failed` is called when a subscription ended because its snapshot failed. */
  constructor(clock: Clock, failed: (connection: Connection, topic: string, cause: unknown) => void) {
    this.#clock = clock;
    this.#spreader = new FrameDistributor(clock);
    this.#onFailed = failed;
  }

  get size(): number {
    return this.#channels.size;
  }

  serve(prefix: string, snapshot: (topic: string) => unknown): void {
    if (this.#public.has(prefix)) throw new Error(`two modules serve the topic "${prefix}"`);
    this.#public.set(prefix, snapshot);
  }

  servePrivate(topic: string, snapshot: (userId: UserId) => Promise<unknown>): void {
    if (this.#private.has(topic)) throw new Error(`two modules serve the topic "${topic}"`);
    this.#private.set(topic, snapshot);
  }

  /** The channel of a topic; undefined when it has no subscribers. */
  channel(topic: string, userId?: UserId): Channel | undefined {
    return this.#channels.get(keyOf(topic, userId));
  }

  /**
   * Subscribes a connection to a topic; private topics require a signed-in connection. Returns false when the
   * topic does not exist.
   */
  join(connection: Connection, topic: string): boolean {
    const userId = isPrivateTopic(topic) ? connection.proof?.session.userId : undefined;
    const key = keyOf(topic, userId);
    const channel = this.#channels.get(key) ?? this.#newChannel(key, topic, userId);
    if (channel === undefined) return false;
    this.#channels.set(key, channel);
    return channel.join(connection);
  }

  leave(connection: Connection, topic: string): void {
    connection.subscriptions.get(topic)?.leave();
  }

  leaveAll(connection: Connection, isIncluded: (topic: string) => boolean = () => true): void {
    for (const topic of [...connection.subscriptions.keys()].filter(isIncluded))
      this.leave(connection, topic);
  }

  #newChannel(key: string, topic: string, userId: UserId | undefined): Channel | undefined {
    const snapshot = isPrivateTopic(topic)
      ? this.#privateSnapshot(topic, userId)
      : this.#publicSnapshot(topic);
    if (snapshot === undefined) return undefined;
    return new Channel({
      topic,
      clock: this.#clock,
      spreader: this.#spreader,
      snapshot,
      failed: (connection, cause) => this.#onFailed(connection, topic, cause),
      emptied: () => this.#channels.delete(key),
    });
  }

  #publicSnapshot(topic: string): (() => unknown) | undefined {
    const serve = this.#public.get(topic.split('.')[0] ?? topic);
    return serve && (() => serve(topic));
  }

  #privateSnapshot(topic: string, userId: UserId | undefined): (() => unknown) | undefined {
    const serve = this.#private.get(topic);
    return serve && userId !== undefined ? () => serve(userId) : undefined;
  }
}

function keyOf(topic: string, userId: UserId | undefined): string {
  return userId === undefined ? topic : `${topic}:${userId}`;
}
