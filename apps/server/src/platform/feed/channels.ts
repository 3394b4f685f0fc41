import type { UserId } from '@exchange/core/ids.ts';
import { isPrivateTopic } from '@exchange/wire/feed.ts';
import type { Clock } from '../clock.ts';
import { Channel } from './channel.ts';
import type { Connection } from './connection.ts';
import type { TopicSource } from './feed.ts';
import { FollowedChannel } from './followed-channel.ts';
import { FrameDistributor } from './spreader.ts';

/** All registered feed topics, and the channels of topics with subscribers. */
export class Channels {
  readonly #clock: Clock;
  readonly #spreader: FrameDistributor;
  readonly #onFailed: (connection: Connection, topic: string, cause: unknown) => void;
  readonly #channels = new Map<string, Channel>();
  readonly #public = new Map<string, (topic: string) => unknown>();
  readonly #private = new Map<string, (userId: UserId) => Promise<unknown>>();
  readonly #source: TopicSource | undefined;

  /** `failed` is called as described in `ChannelOptions`. `source` is set if another process publishes all topics. */
  constructor(
    clock: Clock,
    failed: (connection: Connection, topic: string, cause: unknown) => void,
    source?: TopicSource,
  ) {
    this.#clock = clock;
    this.#source = source;
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

  /** Returns the channel of a feed topic; undefined if the topic has no subscribers. */
  channel(topic: string, userId?: UserId): Channel | undefined {
    return this.#channels.get(keyOf(topic, userId));
  }

  /**
   * Subscribes a connection to a feed topic. Private topics require a signed-in connection. Returns false if the topic
   * does not exist. If another process publishes the topics, returns true even for a topic that does not exist; the
   * subscription ends when that process reports this.
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

  /** Returns the current state of a feed topic, or a promise of it; undefined if the topic does not exist. */
  snapshot(topic: string, userId: UserId | undefined): unknown {
    return this.#snapshotOf(topic, userId)?.();
  }

  #newChannel(key: string, topic: string, userId: UserId | undefined): Channel | undefined {
    if (this.#source !== undefined) return this.#followedChannel(this.#source, key, topic, userId);
    const snapshot = this.#snapshotOf(topic, userId);
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

  #followedChannel(
    source: TopicSource,
    key: string,
    topic: string,
    userId: UserId | undefined,
  ): FollowedChannel {
    const channel = new FollowedChannel({
      topic,
      clock: this.#clock,
      spreader: this.#spreader,
      refetch: () => source.refetch(topic, userId),
      failed: (connection, cause) => this.#onFailed(connection, topic, cause),
      emptied: () => {
        this.#channels.delete(key);
        source.close(topic, userId);
      },
    });
    source.open(topic, userId, channel);
    return channel;
  }

  #snapshotOf(topic: string, userId: UserId | undefined): (() => unknown) | undefined {
    return isPrivateTopic(topic) ? this.#privateSnapshot(topic, userId) : this.#publicSnapshot(topic);
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
