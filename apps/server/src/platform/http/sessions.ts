import type { UserId } from '@exchange/core/ids.ts';
import type { Session } from './route.ts';

/** Finds the session of a token and announces when a session ends. */
export interface Sessions {
  /**
   * Returns the token's session if it is cached and was found in the database recently enough to be used
   * without a new check; otherwise undefined. Never queries the database.
   */
  remembered(token: string): Session | undefined;
  /**
   * Returns the token's session; undefined if the token is invalid or the session has ended or expired. Uses
   * the cache if possible.
   */
  find(token: string): Session | undefined | Promise<Session | undefined>;
  /**
   * Calls the listener with the id and the user of each session that ends. An expired session ends when the
   * clean-up marks it as ended, which may be later than its expiry.
   */
  onSessionEnded(listener: (sessionId: string, userId: UserId) => void): void;
}
