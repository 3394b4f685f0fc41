import { isPrivateTopic } from '@exchange/wire/feed.ts';
import type { Clock } from '../clock.ts';
import { plainJson } from '../http/exact-json.ts';
import type { Connection, Following } from './connection.ts';
import { SharedFrame } from './frame.ts';
import type { FrameDistributor, FrameSource } from './spreader.ts';

export interface ChannelOptions {
  readonly topic: string;
  readonly clock: Clock;
  readonly spreader: Pick<FrameDistributor, 'add'>;
  /** Returns the topic's current state, or a promise if it must be loaded; undefined if the topic does not exist. */
  readonly snapshot: () => unknown;
  /**
   * Called when a subscription has ended because the topic's snapshot could not be read or, if another process
   * publishes the topic, because the topic does not exist.
   */
  readonly failed: (connection: Connection, cause: unknown) => void;
  /** Called when the topic's last subscriber has unsubscribed. */
  readonly emptied: () => void;
}

/** An update of a feed topic, with its number within the topic. */
export interface Update {
  readonly seq: number;
  readonly frame: SharedFrame;
}

/**
 * Maximum number of subscribers of a topic whose updates are written immediately. Updates of topics with more
 * subscribers wait for the `FrameDistributor`. Private topics have fewer subscribers, except those of shared
 * accounts.
 */
const SMALL_CHANNEL = 50;
/**
 * Maximum number of a topic's updates that wait for distribution or for a snapshot. If there are more, they are
 * dropped, and the subscribers receive a new snapshot.
 */
const WAITING_MAX = 64;
/**
 * Maximum age in milliseconds of a topic's oldest waiting update. If it is older, all waiting updates are dropped, so
 * that under overload subscribers receive the current state instead of outdated updates.
 */
const DELAY_MAX_MS = 400;
/** Milliseconds for which a topic's snapshot is used again for new subscribers, unless an update follows. */
const SNAPSHOT_SHARED_MS = 1_000;

/**
 * A change of a topic that waits for distribution to the subscribers: an update, or a number. A number means that
 * subscribers whose state is older than the update with this number receive a snapshot.
 */
interface Waiting {
  readonly change: Update | number;
  readonly madeMs: number;
}

/** A topic with subscribers. It numbers the topic's updates and distributes each one as a shared frame. */
export class Channel implements FrameSource {
  readonly topic: string;
  readonly subscriptions = new Set<Subscription>();
  protected readonly options: ChannelOptions;
  /** The number of the topic's last update. */
  protected seq = 0;
  readonly #updates: Waiting[] = [];
  #distribution:
    | { readonly change: Update | number; readonly receivers: readonly Subscription[]; next: number }
    | undefined;
  #shared: (Update & { readonly madeMs: number }) | undefined;

  constructor(options: ChannelOptions) {
    this.topic = options.topic;
    this.options = options;
  }

  /** Adds a subscriber to the topic and sends it a snapshot. Returns false if the topic does not exist. */
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
    if (this.subscriptions.size === 0) this.options.emptied();
  }

  publish(data: unknown): void {
    this.distribute(this.number(plainJson(data)));
  }

  /** Turns the text of an update into the topic's next update, with the next number. */
  protected number(json: string): Update {
    this.seq += 1;
    return { seq: this.seq, frame: this.frameOf('update', json) };
  }

  /**
   * Sends an update to all subscribers of the topic. If `change` is a number, sends a snapshot to the
   * subscribers whose state is older than the update of this number. With more than `SMALL_CHANNEL`
   * subscribers the updates are sent in turns of the event loop. If the oldest one waits longer than
   * `DELAY_MAX_MS`, or `WAITING_MAX` of them wait, they are dropped, and the subscribers get a snapshot.
   */
  protected distribute(change: Update | number): void {
    const madeMs = this.options.clock.monotonicMs();
    const [oldest] = this.#updates;
    const isLate = oldest !== undefined && madeMs - oldest.madeMs > DELAY_MAX_MS;
    if (isLate || this.#updates.length >= WAITING_MAX) this.#updates.length = 0;
    this.#updates.push({ change, madeMs });
    if (this.subscriptions.size > SMALL_CHANNEL) this.options.spreader.add(this);
    else while (this.sendNext(SMALL_CHANNEL));
  }

  sendNext(maxReaders: number): boolean {
    this.#distribution ??= this.#nextDistribution();
    const spreading = this.#distribution;
    if (spreading === undefined) return false;
    const { receivers, change } = spreading;
    const end = Math.min(spreading.next + maxReaders, receivers.length);
    for (; spreading.next < end; spreading.next += 1)
      if (typeof change === 'number') receivers[spreading.next]?.renew(change);
      else receivers[spreading.next]?.deliver(change);
    if (end === receivers.length) this.#distribution = undefined;
    return this.#distribution !== undefined || this.#updates.length > 0;
  }

  /**
   * Returns the topic's current snapshot as a numbered frame, or a promise of it if it must be loaded;
   * undefined if the topic does not exist. A frame that needs no loading is shared for `SNAPSHOT_SHARED_MS`,
   * or until the next update.
   */
  snapshot(): Update | Promise<Update> | undefined {
    const { clock, snapshot } = this.options;
    const shared = this.#shared;
    if (shared?.seq === this.seq && clock.monotonicMs() - shared.madeMs < SNAPSHOT_SHARED_MS) return shared;
    const seq = this.seq;
    const data = snapshot();
    if (data === undefined) return undefined;
    if (data instanceof Promise) {
      return data.then((loaded) => ({ seq, frame: this.frameOf('snapshot', plainJson(loaded), seq) }));
    }
    this.#shared = { seq, frame: this.frameOf('snapshot', plainJson(data)), madeMs: clock.monotonicMs() };
    return this.#shared;
  }

  /**
   * The topic's updates since its last snapshot. Always empty in this class, whose snapshots contain all updates so
   * far; a `FollowedChannel` returns the stored ones.
   */
  get updatesSince(): readonly Update[] {
    return [];
  }

  fail(subscription: Subscription, cause: unknown): void {
    this.leave(subscription);
    this.options.failed(subscription.connection, cause);
  }

  protected frameOf(type: 'snapshot' | 'update', json: string, seq = this.seq): SharedFrame {
    const ts = this.options.clock.now();
    const text = `{"topic":"${this.topic}","type":"${type}","seq":${seq},"ts":${ts},"data":${json}}`;
    return new SharedFrame(text, !isPrivateTopic(this.topic));
  }

  #nextDistribution() {
    const waiting = this.#updates.shift();
    return waiting && { change: waiting.change, receivers: [...this.subscriptions], next: 0 };
  }
}

/** A connection's subscription of a topic. It records the number of the last update whose state was sent. */
export class Subscription implements Following {
  readonly channel: Channel;
  readonly connection: Connection;
  #seq = 0;
  #isStale = false;
  /**
   * Updates of the topic that have arrived since a snapshot began to load; undefined if no snapshot is being loaded.
   */
  #waiting: Update[] | undefined;
  /** The minimum update number of a snapshot. If a loaded snapshot has a smaller number, another one is loaded. */
  #leastSeq = 0;

  constructor(channel: Channel, connection: Connection) {
    this.channel = channel;
    this.connection = connection;
  }

  /**
   * Sends an update, or a snapshot if the update does not directly follow the last sent state. While a snapshot is
   * loading, the update waits. An update that the sent state contains is ignored, and so is every update while the
   * client reads too slowly.
   */
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

  /**
   * Sends a snapshot and the updates after it, at once or when the snapshot is loaded. If the snapshot fails, the
   * subscription ends. Returns false if the topic does not exist.
   */
  refresh(): boolean {
    if (this.#waiting !== undefined) return true;
    this.#isStale = false;
    let snapshot: ReturnType<Channel['snapshot']>;
    try {
      snapshot = this.channel.snapshot();
    } catch (cause) {
      // The failure of a snapshot ends only this subscription; the publisher must not be affected.
      this.channel.fail(this, cause);
      return true;
    }
    if (snapshot === undefined) return false;
    if (snapshot instanceof Promise) this.#sendWhenLoaded(snapshot);
    else {
      this.#write(snapshot);
      for (const update of this.channel.updatesSince) this.deliver(update);
    }
    return true;
  }

  /**
   * Sends a snapshot, unless the subscriber's state already includes update `seq`. If a snapshot is loading, waits for
   * it first.
   */
  renew(seq: number): void {
    if (this.#seq >= seq || !this.channel.subscriptions.has(this)) return;
    this.#leastSeq = Math.max(this.#leastSeq, seq);
    this.refresh();
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
        // A slow subscriber gets a snapshot later, when all buffered bytes were sent.
        if (this.#isStale) return;
        if (updates.length > WAITING_MAX || this.#seq < this.#leastSeq) this.refresh();
        else for (const update of updates) this.deliver(update);
      },
      (cause: unknown) => this.channel.fail(this, cause),
    );
  }
}
