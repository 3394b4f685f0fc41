import type { UserId } from '@exchange/core/ids.ts';
import { isPrivateTopic } from '@exchange/wire/feed.ts';
import type { Clock } from '../clock.ts';
import type { Connection } from './connection.ts';
import { Room } from './room.ts';
import { Spreader } from './spreader.ts';

/** Which topics there are, and the rooms of those that somebody listens to. */
export class Topics {
  readonly #clock: Clock;
  readonly #spreader: Spreader;
  readonly #failed: (connection: Connection, topic: string, cause: unknown) => void;
  readonly #rooms = new Map<string, Room>();
  readonly #public = new Map<string, (topic: string) => unknown>();
  readonly #private = new Map<string, (userId: UserId) => Promise<unknown>>();

  /** `failed` is told when a reader is without its topic because the snapshot could not be made. */
  constructor(clock: Clock, failed: (connection: Connection, topic: string, cause: unknown) => void) {
    this.#clock = clock;
    this.#spreader = new Spreader(clock);
    this.#failed = failed;
  }

  get size(): number {
    return this.#rooms.size;
  }

  serve(prefix: string, snapshot: (topic: string) => unknown): void {
    if (this.#public.has(prefix)) throw new Error(`two modules serve the topic "${prefix}"`);
    this.#public.set(prefix, snapshot);
  }

  servePrivate(topic: string, snapshot: (userId: UserId) => Promise<unknown>): void {
    if (this.#private.has(topic)) throw new Error(`two modules serve the topic "${topic}"`);
    this.#private.set(topic, snapshot);
  }

  /** The room of a topic; undefined while nobody listens. */
  room(topic: string, userId?: UserId): Room | undefined {
    return this.#rooms.get(keyOf(topic, userId));
  }

  /** Lets a reader into a topic, a private one as the user it has proven to be. False where there is none. */
  join(connection: Connection, topic: string): boolean {
    const userId = isPrivateTopic(topic) ? connection.proof?.session.userId : undefined;
    const key = keyOf(topic, userId);
    const room = this.#rooms.get(key) ?? this.#newRoom(key, topic, userId);
    if (room === undefined) return false;
    this.#rooms.set(key, room);
    return room.join(connection);
  }

  leave(connection: Connection, topic: string): void {
    connection.subscriptions.get(topic)?.leave();
  }

  leaveAll(connection: Connection, which: (topic: string) => boolean = () => true): void {
    for (const topic of [...connection.subscriptions.keys()].filter(which)) this.leave(connection, topic);
  }

  #newRoom(key: string, topic: string, userId: UserId | undefined): Room | undefined {
    const snapshot = isPrivateTopic(topic)
      ? this.#privateSnapshot(topic, userId)
      : this.#publicSnapshot(topic);
    if (snapshot === undefined) return undefined;
    return new Room({
      topic,
      clock: this.#clock,
      spreader: this.#spreader,
      snapshot,
      failed: (connection, cause) => this.#failed(connection, topic, cause),
      emptied: () => this.#rooms.delete(key),
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
