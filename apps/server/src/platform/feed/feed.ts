import type { UserId } from '@exchange/core/ids.ts';
import { FEED_LIMITS } from '@exchange/wire/feed.ts';

/** The part of the live feed that modules use: register topics with their snapshots, and publish updates. */
export interface Feed {
  /**
   * Registers the public topics that start with `prefix` (`depth` for `depth.btcusdt`, `tickers` for itself).
   * `snapshot` returns a topic's current state, or undefined when the topic does not exist.
   */
  serve(prefix: string, snapshot: (topic: string) => unknown): void;
  /** Registers a private topic; its snapshot is computed per user. */
  servePrivate(topic: string, snapshot: (userId: UserId) => Promise<unknown>): void;
  /** Sends an update to all subscribers; it is serialised once. */
  publish(topic: string, data: unknown): void;
  /** Whether a topic has subscribers; lets callers skip computing updates that nobody receives. */
  hasListeners(topic: string): boolean;
  hasPrivateListener(topic: string, userId: UserId): boolean;
  publishPrivate(topic: string, userId: UserId, data: unknown): void;
}

/** Limits of a server's live feed. */
export const HUB_LIMITS = {
  connectionsPerAddress: 20,
  connectionsPerUser: 5,
  /** For an account that all visitors share. */
  connectionsPerSharedUser: 1_000,
  bufferBytes: 1_048_576,
  /** How long a client may be behind; with `roundMs` it is disconnected within 30 seconds. */
  stalledMs: 26_000,
  idleMs: FEED_LIMITS.idleMs,
  /** Interval of pings and session checks: connections of revoked sessions end within this time. */
  roundMs: 4_000,
} as const;
export type HubLimits = { readonly [Name in keyof typeof HUB_LIMITS]: number };
