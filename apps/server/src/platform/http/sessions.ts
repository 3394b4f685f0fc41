import type { Session } from './route.ts';

/** Who tells the edge whose token it is, and when a session is over. */
export interface Sessions {
  /** The live session of a token where memory knows it; undefined says nothing. Asks nobody, so it costs nothing. */
  remembered(token: string): Session | undefined;
  /** The live session of a token; undefined when there is none (any more). Answered from memory where possible. */
  find(token: string): Session | undefined | Promise<Session | undefined>;
  /** Calls the listener with the id of every session that ends before its time. */
  onSessionEnded(listener: (sessionId: string) => void): void;
}
