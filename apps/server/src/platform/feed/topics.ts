import type { UserId } from '@exchange/core/ids.ts';

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
  /** Whether anybody listens, so that nobody computes for an empty room. */
  hasListeners(topic: string): boolean;
  hasPrivateListener(topic: string, userId: UserId): boolean;
  publishPrivate(topic: string, userId: UserId, data: unknown): void;
}
