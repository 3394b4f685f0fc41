import type { UserId } from '@exchange/core/ids.ts';
import type { Session } from './route.ts';

/** Finds the session of a token and announces when a session ends. */
export interface Sessions {
  /** The token's live session if it is cached, otherwise undefined. Never queries the database. */
  remembered(token: string): Session | undefined;
  /**
   * The token's live session; undefined if the token is invalid or its session has ended. Uses the cache if possible.
   */
  find(token: string): Session | undefined | Promise<Session | undefined>;
  /**
   * Calls the listener with the id and the user of each session that ends. For an expired session this happens when it
   * is cleaned up.
   */
  onSessionEnded(listener: (sessionId: string, userId: UserId) => void): void;
}
