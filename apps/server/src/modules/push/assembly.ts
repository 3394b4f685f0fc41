import type { Database } from '../../platform/database/database.ts';
import type { Events } from '../../platform/events.ts';
import type { Log } from '../../platform/log.ts';
import { HttpsPushTransport, type PushTransport } from '../../platform/outgoing/push-transport.ts';
import { isLive } from '../../platform/session/store.ts';
import { sessionEnded } from '../identity/index.ts';
import { PushRepository } from './repository.ts';

/** The devices of live sessions. */
export function pushRepository({ store }: Pick<Database, 'store'>): PushRepository {
  return new PushRepository(store, isLive);
}

/** Sends to push services over https, to public addresses only. */
export function publicTransport(): PushTransport {
  return new HttpsPushTransport();
}

/** Removes devices when their session ends. */
export function removeWithSessions(events: Events, repository: PushRepository, log: Log): void {
  events.on(sessionEnded, ({ sessionId }) => {
    repository.removeOfSession(sessionId).catch((cause: unknown) => {
      // The session has ended, so nothing is sent or read; the row is removed with the next clean-up.
      log.warn('push.not_removed', { cause });
    });
  });
}
