import type { UserId } from '@exchange/core/ids.ts';
import { FEED_LIMITS } from '@exchange/wire/feed.ts';

/** The live feed as modules use it: they register topics with their snapshots and publish updates. */
export interface Feed {
  /**
   * Registers the public topics whose name begins with `prefix` (`depth` for `depth.btcusdt`) or equals it. `snapshot`
   * returns a topic's current state, or undefined if the topic does not exist.
   */
  serve(prefix: string, snapshot: (topic: string) => unknown): void;
  /** Registers a private topic. `snapshot` returns a user's current state of the topic. */
  servePrivate(topic: string, snapshot: (userId: UserId) => Promise<unknown>): void;
  /** Sends an update of a feed topic to all subscribers of the topic, including those at feed nodes. */
  publish(topic: string, data: unknown): void;
  /**
   * Returns whether a topic has subscribers, here or at a feed node. Callers need not compute updates for a topic
   * without subscribers.
   */
  hasListeners(topic: string): boolean;
  hasPrivateListener(topic: string, userId: UserId): boolean;
  publishPrivate(topic: string, userId: UserId, data: unknown): void;
}

/** Sends the published updates to other processes, for their subscribers. */
export interface FeedRelay {
  /** Returns whether another process receives the topic; `userId` is set for private topics. */
  isFollowed(topic: string, userId?: UserId): boolean;
  /** Sends a topic's update as JSON text to other processes; `userId` is set for private topics. */
  publish(topic: string, userId: UserId | undefined, json: string): void;
}

/** Receives a topic's state and updates from the process that publishes it. */
export interface TopicReceiver {
  /**
   * Receives the topic's state as JSON text. It contains the updates whose position in the publishing
   * process's stream of messages for all topics is at most `position`. A state that was loaded from the
   * database may contain later updates too.
   */
  install(json: string, position: number): void;
  /**
   * Receives an update of the topic as JSON text, with its position in the publishing process's stream of
   * messages for all topics.
   */
  update(json: string, position: number): void;
  /** Called when updates of the topic were lost. A new state follows. */
  invalidate(): void;
  /** Called when the topic does not exist or its state could not be computed. No further updates follow. */
  end(reason: 'absent' | 'failed'): void;
}

/** Provides topics that another process publishes. `userId` is set for private topics. */
export interface TopicSource {
  /** Begins to receive a topic from another process. The receiver gets the topic's state and then its updates. */
  open(topic: string, userId: UserId | undefined, receiver: TopicReceiver): void;
  /** Requests a topic's state again, while updates continue to arrive. */
  refetch(topic: string, userId: UserId | undefined): void;
  close(topic: string, userId: UserId | undefined): void;
}

/** Limits of the live feed of this server, such as the number of connections. */
export const HUB_LIMITS = {
  connectionsPerAddress: 20,
  connectionsPerUser: 5,
  /** Maximum number of connections of an account that all visitors share. */
  connectionsPerSharedUser: 1_000,
  bufferBytes: 1_048_576,
  /**
   * Milliseconds for which a client may read too slowly. Because this is checked every `roundMs`, the client is
   * disconnected within 30 seconds.
   */
  stalledMs: 26_000,
  idleMs: FEED_LIMITS.idleMs,
  /**
   * Interval in milliseconds of pings and of checks of sessions. Connections of revoked sessions end at the next
   * successful check.
   */
  roundMs: 4_000,
} as const;
export type HubLimits = { readonly [Name in keyof typeof HUB_LIMITS]: number };
