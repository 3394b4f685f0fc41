import { createHash } from 'node:crypto';
import type { UserId } from '@exchange/core/ids.ts';
import type { Events } from '../../platform/events.ts';
import type { Log } from '../../platform/log.ts';
import {
  newDeviceSignedIn,
  passwordChanged,
  protectionChanged,
  signedInOnOldTerms,
  tradePasswordChanged,
  tradePasswordLocked,
  userRegistered,
} from '../identity/index.ts';
import type { Message, MessageKind } from './domain.ts';
import type { MessageService } from './service.ts';
import { timeText } from '../../platform/time-text.ts';

/**
 * Sends inbox messages about account events, such as a login from a new device. All of them except the welcome and the
 * notice of changed agreements are also mailed by other code, so an inbox message may be lost.
 */
export function deliverAccountEvents(events: Events, service: MessageService, log: Log): void {
  const deliver = (
    userId: UserId,
    kind: MessageKind,
    parameters: Message['parameters'] = {},
    about?: string,
  ) => {
    service.deliver(userId, { type: 'system', kind, parameters }, about).catch((cause: unknown) => {
      // A message that cannot be stored is lost and only logged, because the event itself is stored and its mail, if it
      // has one, is queued.
      log.error('messages.not_delivered', { kind, userId, cause });
    });
  };
  events.on(userRegistered, ({ userId }) => deliver(userId, 'welcome'));
  events.on(newDeviceSignedIn, ({ userId, device, address, news, at }) =>
    deliver(userId, news, { device, address, time: timeText(at) }),
  );
  events.on(passwordChanged, ({ userId, at, byReset, holdUntil, passkeys }) => {
    const [time, until] = [timeText(at), timeText(holdUntil)];
    if (passkeys === undefined)
      deliver(userId, byReset ? 'passwordReset' : 'passwordChanged', { time, until });
    else deliver(userId, 'passwordResetWithPasskeys', { time, until, passkeys });
  });
  events.on(tradePasswordChanged, ({ userId, at, isFirst }) =>
    deliver(userId, isFirst ? 'tradePasswordSet' : 'tradePasswordChanged', { time: timeText(at) }),
  );
  events.on(protectionChanged, ({ userId, kind, at, name }) => {
    const time = timeText(at);
    deliver(userId, kind, name === undefined ? { time } : { time, name });
  });
  events.on(tradePasswordLocked, ({ userId }) => deliver(userId, 'tradePasswordLocked'));
  events.on(signedInOnOldTerms, ({ userId, termsVersion: terms, privacyVersion: privacy }) =>
    deliver(userId, 'agreementsChanged', { terms, privacy }, idOf(`${userId} ${terms} ${privacy}`)),
  );
}

/**
 * A UUID that is computed from a text, so that the same text always yields the same id; used to drop repeated messages.
 */
function idOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}
