import type { UserId } from '@exchange/core/ids.ts';
import { FEED_LIMITS } from '@exchange/wire/feed.ts';

/** The part of the live feed that modules use: register topics with their snapshots, and publish updates. */
export interface Feed {
  /**
   * Registers the public topics that start with `prefix` (`depth` for `depth.btcusdt`, `tickers` for itself).
   * `snapshot` returns a topic's current state, or undefined when the topic does not exist.
   */
  serve(prefix: string, snapshot: (topic: string) => unknown): void;
  /** Registers a private feed topic; its snapshot is computed per user. */
  servePrivate(topic: string, snapshot: (userId: UserId) => Promise<unknown>): void;
  /** Sends an update of a topic to all subscribers; it is serialised once. */
  publish(topic: string, data: unknown): void;
  /** Whether a topic has subscribers; lets callers skip computing updates that nobody receives. */
  hasListeners(topic: string): boolean;
  hasPrivateListener(topic: string, userId: UserId): boolean;
  publishPrivate(topic: string, userId: UserId, data: unknown): void;
}

/** Receives the published updates for subscribers of other processes. */
export interface FeedRelay {
  /** Whether another process follows the topic; `userId` is set for private topics. */
  isFollowed(topic: string, userId?: UserId): boolean;
  /** Sends a topic's update as JSON text to other processes; `userId` is set for private topics. */
  publish(topic: string, userId: UserId | undefined, json: string): void;
}

/** Receives a topic that is published by another process. */
export interface TopicReceiver {
  /** The topic's state as JSON text, as of a position among all updates. */
  install(json: string, position: number): void;
  /** An update of the topic after the state at the previous positions. */
  update(json: string, position: number): void;
  /** Called when updates of the topic are missing; a new state follows. */
  invalidate(): void;
  /**
   * Called when the topic does not exist, or its state could not be computed. It is not followed
   * any more.
   */
  end(reason: 'absent' | 'failed'): void;
}

/** Provides topics that another process publishes. `userId` is set for private topics. */
export interface TopicSource {
  /** Follows a topic of another process: its state arrives, then its updates. */
  open(topic: string, userId: UserId | undefined, receiver: TopicReceiver): void;
  /** Fetches a topic's state again, while updates continue. */
  refetch(topic: string, userId: UserId | undefined): void;
  close(topic: string, userId: UserId | undefined): void;
}

/** Limits of a server's live feed. */
export const HUB_LIMITS = {
  connectionsPerAddress: 20,
  connectionsPerUser: 5,
  /** Greatest number of connections for an account that all visitors share. */
  connectionsPerSharedUser: 1_000,
  bufferBytes: 1_048_576,
  /**
   * Milliseconds for which a client may read too slowly; with `roundMs` it is disconnected within
   * 30 seconds.
   */
  stalledMs: 26_000,
  idleMs: FEED_LIMITS.idleMs,
  /**
   * Interval in milliseconds of pings and session checks: connections of revoked sessions end at the next check
   * that succeeds.
   */
  roundMs: 4_000,
} as const;
export type HubLimits = { readonly [Name in keyof typeof HUB_LIMITS]: number };
