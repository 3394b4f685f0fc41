import type { Sessions } from '../http/sessions.ts';
import type { Session } from '../http/route.ts';

/**
 * Pauses in milliseconds after which a missing session is looked up again. A replica of the database may lack a session
 * that has just been opened.
 */
const PAUSES_MS = [100, 400, 1_500] as const;

/**
 * Returns sessions that look up a missing session again if the database is a replica, which may lag behind. `isReplica`
 * resolves to whether the database is a replica. A session that is missing in the primary database is not looked up
 * again.
 */
export function lookedUpAgain(sessions: Sessions, isReplica: () => Promise<boolean>): Sessions {
  const findAgain = async (token: string, first: Promise<Session | undefined>) => {
    let session = await first;
    if (session !== undefined || !(await isReplica())) return session;
    for (const pauseMs of PAUSES_MS) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      session = await sessions.find(token);
      if (session !== undefined) return session;
    }
    return undefined;
  };
  return {
    remembered: (token) => sessions.remembered(token),
    find: (token) => {
      const found = sessions.find(token);
      return found instanceof Promise ? findAgain(token, found) : found;
    },
    onSessionEnded: (listener) => sessions.onSessionEnded(listener),
  };
}
