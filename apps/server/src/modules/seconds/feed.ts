import { SECONDS_STATUS, type SecondsMessage } from '@exchange/wire/seconds.ts';
import type { Events } from '../../platform/events.ts';
import type { Feed } from '../../platform/feed/feed.ts';
import { secondsChanged } from './events.ts';

/** Publishes to each user, after the commit, which of their positions were opened or have ended. */
export function feedSeconds(events: Events, feed: Feed): void {
  feed.servePrivate('contract', () => Promise.resolve([] satisfies SecondsMessage));
  events.on(secondsChanged, ({ owner, id, result }) => {
    if (!feed.hasPrivateListener('contract', owner)) return;
    const { holding, completed, returned } = SECONDS_STATUS;
    const status = result === undefined ? holding : result === 'void' ? returned : completed;
    const message: SecondsMessage = [{ id, status, ...(result === undefined ? {} : { result }) }];
    feed.publishPrivate('contract', owner, message);
  });
}
