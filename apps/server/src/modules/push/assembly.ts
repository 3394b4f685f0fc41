import type { Database } from '../../platform/database/database.ts';
import type { Events } from '../../platform/events.ts';
import type { Log } from '../../platform/log.ts';
import { HttpsPushTransport, type PushTransport } from '../../platform/outgoing/push-transport.ts';
import { isLive } from '../../platform/session/store.ts';
import { sessionEnded } from '../identity/index.ts';
import { PushRepository } from './repository.ts';

/**
 * The repository of push devices, which recognizes devices of ended sessions by the session store's SQL
 * condition for live sessions.
 */
export function pushRepository({ store }: Pick<Database, 'store'>): PushRepository {
  return new PushRepository(store, isLive);
}

/** A transport that sends pushes over HTTPS and only to public addresses. */
export function publicTransport(): PushTransport {
  return new HttpsPushTransport();
}

/** Removes devices when their session ends. */
export function removeWithSessions(events: Events, repository: PushRepository, log: Log): void {
  events.on(sessionEnded, ({ sessionId }) => {
    repository.removeOfSession(sessionId).catch((cause: unknown) => {
      // A failed removal of a device has no effect: nothing is sent to devices of ended sessions, and the next clean-up
      // deletes the device.
      log.warn('push.not_removed', { cause });
    });
  });
}
