import type { UserId } from '@exchange/core/ids.ts';
import type { Session } from './route.ts';

/** Finds the session of a token and announces when a session ends. */
export interface Sessions {
  /** The token's live session if it is cached; undefined means unknown. Never queries the database. */
  remembered(token: string): Session | undefined;
  /**
   * The token's live session; undefined when the token is invalid or its session has ended. Answered from the
   * cache where possible.
   */
  find(token: string): Session | undefined | Promise<Session | undefined>;
  /**
   * Calls the listener with the id and the user of each session that ends; for an expired session, when it is cleaned
   * up.
   */
  onSessionEnded(listener: (sessionId: string, userId: UserId) => void): void;
}
