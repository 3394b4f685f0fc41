import type { UserId } from '@exchange/core/ids.ts';
import type { Locale } from '@exchange/core/locale.ts';
import type { MessagePlace } from '@exchange/core/message-place.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import type { Demo } from '../../platform/demo.ts';
import type { DemoTexts } from '../../platform/demo-texts.ts';
import type { Events } from '../../platform/events.ts';
import type { Feed } from '../../platform/feed/feed.ts';
import type { Route } from '../../platform/http/route.ts';
import type { Log } from '../../platform/log.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import type { AddressedMessage, Message, MessageWords } from './domain.ts';
import { MessageCatalogue, type DeclaredMessages } from './catalogue.ts';
import { seedMessages } from './demo.ts';
import { deliverAccountEvents } from './account-events.ts';
import type { PushChannel } from './push-channel.ts';
import { MessageRepository } from './repository.ts';
import { messageRoutes } from './routes.ts';
import { MessageService, NOTICE_TOPIC } from './service.ts';
import type { NoticeTopic } from './topics.ts';

export { deliverNotices, type NoticeParts } from './notices.ts';
export { mandatoryMail } from './words/mail-words.ts';
export { declareMessages, type DeclaredMessages } from './catalogue.ts';
export type { PushChannel, PushedMessage } from './push-channel.ts';
export type { AddressedMessage, Message, MessageWords };

/**
 * messages: the inbox. A message is stored as an event with parameters; its text is chosen in the reader's language
 * when it is read. The private topic `notice` carries the unread count.
 */
export interface Messages {
  readonly routes: readonly Route[];
  /** Adds the kinds of messages that other modules declare. Must be called before the first message is sent or read. */
  declare(declared: readonly DeclaredMessages[]): void;
  /**
   * Stores messages in the caller's transaction and queues their mails and pushes, according to their readers'
   * settings. Drops a message that these settings deliver nowhere, and one with the same kind and `about` as a stored
   * message, even if that one has another reader. The caller calls `announce` for each reader after the commit.
   */
  send(tx: Tx, messages: readonly AddressedMessage[]): Promise<void>;
  announce(userId: UserId): Promise<void>;
  /**
   * Sets the channel through which messages are also pushed to devices from now on; before the call none are pushed.
   */
  pushBy(channel: PushChannel): void;
  /** The number of a user's unread messages; at most `PAGED_ROWS_MAX` are counted. */
  unreadCount(userId: UserId): Promise<number>;
  /**
   * The screen that a message links to (`place`), and the order or pair to show there (`item`; empty if there
   * is none).
   */
  placeOf(message: Pick<Message, 'kind' | 'parameters'>): {
    readonly place: MessagePlace;
    readonly item: string;
  };
  /** False for the kind of a stored message that this version of the program does not contain. */
  isKind(text: string): text is Message['kind'];
  /**
   * Those of the users who receive mails on a topic, by their own setting or, if they have none, by the default; for
   * modules that write the mails of their topic themselves.
   */
  usersWantingMail(tx: Tx, topic: NoticeTopic, users: readonly UserId[]): Promise<ReadonlySet<UserId>>;
  /** A user's latest messages in a language, newest first, at most `limit`. */
  latest(userId: UserId, locale: Locale, limit: number): Promise<readonly SentMessage[]>;
  /**
   * Writes one message in its own transaction, unless the reader's settings deliver it nowhere; calls
   * `announce` afterwards in both cases.
   */
  deliver(userId: UserId, message: Message): Promise<void>;
  /** A message's texts in a language, for callers that also deliver the message in another way. */
  words(locale: Locale, message: Pick<Message, 'kind' | 'parameters'>): MessageWords;
  /**
   * Sets the dates of the demo trader's messages to those of the events that they report, and marks most of them as
   * read. Must be called after the products have sent their messages about the demo's orders.
   */
  seed(demo: Demo): Promise<void>;
}

/** A message in a user's inbox, as operators see it. */
export interface SentMessage {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly summary: string;
  readonly isRead: boolean;
  readonly createdAt: number;
}

export interface MessagesDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly database: Database;
  readonly events: Events;
  readonly feed: Feed;
  readonly mail: Mail;
  readonly demoTexts: DemoTexts;
}

/** Creates the module; from then on, account events cause inbox messages. */
export function createMessages(deps: MessagesDeps): Messages {
  const { clock, database, feed, events, log, mail } = deps;
  const catalogue = new MessageCatalogue();
  const repository = new MessageRepository(database.store, catalogue);
  const service = new MessageService({ clock, database, feed, catalogue, repository, mail });
  feed.servePrivate(NOTICE_TOPIC, async (userId) => ({ count: await service.unreadCount(userId) }));
  deliverAccountEvents(events, service, log);
  return {
    routes: messageRoutes(service, catalogue, deps.demoTexts),
    declare: (declared) => catalogue.declare(declared),
    send: (tx, messages) => service.send(tx, messages),
    announce: (userId) => service.announce(userId),
    pushBy: (channel) => service.pushBy(channel),
    unreadCount: (userId) => service.unreadCount(userId),
    placeOf: (message) => catalogue.placeOf(message),
    isKind: (text) => catalogue.isKind(text),
    usersWantingMail: (tx, topic, users) => service.usersWantingMail(tx, topic, users),
    deliver: (userId, message) => service.deliver(userId, message),
    latest: async (userId, locale, limit) =>
      (await service.page(userId, { pageNo: 1, pageSize: limit })).list.map(
        ({ id, kind, parameters, isRead, createdAt }) => {
          const { title, summary } = catalogue.words(locale, { kind, parameters });
          return { id, kind, title, summary, isRead, createdAt };
        },
      ),
    seed: (demo) => seedMessages(database, demo),
    words: (locale, message) => catalogue.words(locale, message),
  };
}
