import type { UserId } from '@exchange/core/ids.ts';
import { isPrivateTopic } from '@exchange/wire/feed.ts';
import type { Clock } from '../clock.ts';
import { plainJson } from '../http/exact-json.ts';
import type { Connection, Following } from './connection.ts';
import { SharedFrame } from './frame.ts';
import { Spreader, type Spread } from './spreader.ts';

interface ChannelOptions {
  readonly topic: string;
  readonly clock: Clock;
  readonly spreader: Pick<Spreader, 'add'>;
  /** The topic's present state; undefined where there is no such topic. */
  readonly snapshot: () => unknown;
  /** Told when a snapshot could not be made; the subscription is over then. */
  readonly failed: (connection: Connection, cause: unknown) => void;
  /** Told when the last reader has left. */
  readonly emptied: () => void;
}

interface Update {
  readonly seq: number;
  readonly frame: SharedFrame;
}

/** So few are written to at once. Private channels are among them: they lose nothing, however much happens in one turn. */
const FEW_READERS = 50;
/** More updates than this are not kept for readers that wait for their turn or their snapshot: they get a new one. */
const MOST_WAITING = 64;
/** Nor are they once the first of them has waited so long: under too much load everybody gets the present state, late by no more. */
const MOST_LATE_MS = 400;
/** Many who arrive together share one snapshot. */
const SNAPSHOT_SHARED_MS = 1_000;

/** A topic that somebody listens to: numbers its updates and hands each out as one frame. */
export class Channel implements Spread {
  readonly topic: string;
  readonly subscriptions = new Set<Subscription>();
  readonly #options: ChannelOptions;
  readonly #updates: (Update & { readonly madeMs: number })[] = [];
  #seq = 0;
  #spreading:
    | { readonly update: Update; readonly receivers: readonly Subscription[]; next: number }
    | undefined;
  #shared: (Update & { readonly madeMs: number }) | undefined;

  constructor(options: ChannelOptions) {
    this.topic = options.topic;
    this.#options = options;
  }

  /** Adds a reader, who gets the snapshot first. False where there is no such topic. */
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
    const isLate = oldest !== undefined && madeMs - oldest.madeMs > MOST_LATE_MS;
    if (isLate || this.#updates.length >= MOST_WAITING) this.#updates.length = 0;
    this.#updates.push({ seq: this.#seq, frame: this.#frameOf('update', plainJson(data)), madeMs });
    if (this.subscriptions.size > FEW_READERS) this.#options.spreader.add(this);
    else while (this.handOut(FEW_READERS));
  }

  handOut(most: number): boolean {
    this.#spreading ??= this.#nextSpreading();
    const spreading = this.#spreading;
    if (spreading === undefined) return false;
    const { receivers, update } = spreading;
    const end = Math.min(spreading.next + most, receivers.length);
    for (; spreading.next < end; spreading.next += 1) receivers[spreading.next]?.take(update);
    if (end === receivers.length) this.#spreading = undefined;
    return this.#spreading !== undefined || this.#updates.length > 0;
  }

  /** The present snapshot as a frame with its number; undefined where there is no such topic. */
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

  #nextSpreading() {
    const update = this.#updates.shift();
    return update && { update, receivers: [...this.subscriptions], next: 0 };
  }
}

/** One reader of one topic, and the number of the last state it was given. */
class Subscription implements Following {
  readonly channel: Channel;
  readonly connection: Connection;
  #seq = 0;
  #isStale = false;
  /** Updates that came while the snapshot was being loaded; undefined when none is. */
  #waiting: Update[] | undefined;

  constructor(channel: Channel, connection: Connection) {
    this.channel = channel;
    this.connection = connection;
  }

  /** Gives the reader an update, or remembers that it needs a snapshot where the update cannot follow. */
  take(update: Update): void {
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

  /** Once a reader that was behind has read everything, it gets the present state of what it missed. */
  catchUp(): void {
    if (this.#isStale && this.channel.subscriptions.has(this)) this.refresh();
  }

  /** Sends a snapshot, at once or when the one that is being loaded is there. False where there is no such topic. */
  refresh(): boolean {
    if (this.#waiting !== undefined) return true;
    this.#isStale = false;
    let snapshot: ReturnType<Channel['snapshot']>;
    try {
      snapshot = this.channel.snapshot();
    } catch (cause) {
      // Whoever publishes must not pay for a snapshot that cannot be made; this reader is told.
      this.channel.fail(this, cause);
      return true;
    }
    if (snapshot === undefined) return false;
    if (snapshot instanceof Promise) this.#await(snapshot);
    else this.#write(snapshot);
    return true;
  }

  #write(update: Update): void {
    if (this.connection.write(update.frame)) this.#seq = update.seq;
    else this.#isStale = true;
  }

  #await(loading: Promise<Update>): void {
    this.#waiting = [];
    loading.then(
      (snapshot) => {
        const waited = this.#waiting ?? [];
        this.#waiting = undefined;
        if (!this.channel.subscriptions.has(this)) return;
        this.#write(snapshot);
        if (waited.length > MOST_WAITING) this.refresh();
        else for (const update of waited) this.take(update);
      },
      (cause: unknown) => this.channel.fail(this, cause),
    );
  }
}

/** Which topics there are, and the channels of those that somebody listens to. */
export class Channels {
  readonly #clock: Clock;
  readonly #spreader: Spreader;
  readonly #failed: (connection: Connection, topic: string, cause: unknown) => void;
  readonly #channels = new Map<string, Channel>();
  readonly #public = new Map<string, (topic: string) => unknown>();
  readonly #private = new Map<string, (userId: UserId) => Promise<unknown>>();

  /** `failed` is told when a reader is without its topic because the snapshot could not be made. */
  constructor(clock: Clock, failed: (connection: Connection, topic: string, cause: unknown) => void) {
    this.#clock = clock;
    this.#spreader = new Spreader(clock);
    this.#failed = failed;
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

  /** The channel of a topic; undefined while nobody listens. */
  channel(topic: string, userId?: UserId): Channel | undefined {
    return this.#channels.get(keyOf(topic, userId));
  }

  /** Lets a reader into a topic, a private one as the user it has proven to be. False where there is none. */
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

  leaveAll(connection: Connection, which: (topic: string) => boolean = () => true): void {
    for (const topic of [...connection.subscriptions.keys()].filter(which)) this.leave(connection, topic);
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
      failed: (connection, cause) => this.#failed(connection, topic, cause),
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
