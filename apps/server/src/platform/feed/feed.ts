import type { UserId } from '@exchange/core/ids.ts';
import { FEED_LIMITS } from '@exchange/wire/feed.ts';

/** What the live feed lets modules do: own topics, give snapshots, publish updates. */
export interface Feed {
  /**
   * Registers the public topics that start with `prefix` (`depth` owns `depth.btcusdt`, `tickers` itself).
   * `snapshot` gives the present state of a topic, or undefined when there is no such topic.
   */
  serve(prefix: string, snapshot: (topic: string) => unknown): void;
  /** Registers a private topic; its snapshot is made for one user. */
  servePrivate(topic: string, snapshot: (userId: UserId) => Promise<unknown>): void;
  /** Sends an update to all who subscribed; it is serialised once, however many listen. */
  publish(topic: string, data: unknown): void;
  /** Whether anybody listens, so that nobody computes for nobody. */
  hasListeners(topic: string): boolean;
  hasPrivateListener(topic: string, userId: UserId): boolean;
  publishPrivate(topic: string, userId: UserId, data: unknown): void;
}

/** What one server admits. */
export const HUB_LIMITS = {
  connectionsPerAddress: 20,
  connectionsPerUser: 5,
  /** Of an account that everybody may use. */
  connectionsPerSharedUser: 1_000,
  bufferBytes: 1_048_576,
  /** How long a reader may be behind; with the round it is cut off within 30 seconds. */
  stalledMs: 26_000,
  idleMs: FEED_LIMITS.idleMs,
  /** How often readers are pinged and sessions asked for again: revoked ones fall silent within this time. */
  roundMs: 4_000,
} as const;
export type HubLimits = { readonly [Name in keyof typeof HUB_LIMITS]: number };
