import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import type { Feed } from '../../platform/feed/feed.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import { newId, systemRandom } from '../../platform/secrets/random.ts';
import type { ListPage } from '../../platform/database/paged-rows.ts';
import { mailReaders } from '../identity/index.ts';
import {
  choiceKey,
  choicesOf,
  saveChoice,
  type MessageFilter,
  type MessageRepository,
} from './repository.ts';
import { MESSAGE_TYPES, type AddressedMessage, type Message, type StoredMessage } from './domain.ts';
import {
  allowed,
  MAILED_BY_SENDER,
  NOTICE_TOPICS,
  topicOf,
  type Channels,
  type NoticeTopic,
} from './topics.ts';
import { messageMail } from './words/mail-words.ts';

export const NOTICE_TOPIC = 'notice';

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  readonly feed: Feed;
  readonly repository: MessageRepository;
  readonly mail: Mail;
}

/** Writes into inboxes and reads from them. */
export class MessageService {
  private readonly deps: Deps;

  constructor(deps: Deps) {
    this.deps = deps;
  }

  /**
   * Writes messages within the caller's transaction, into inboxes and to be mailed, as their readers have chosen;
   * call `announce` after its commit.
   */
  async send(tx: Tx, messages: readonly AddressedMessage[]): Promise<void> {
    if (messages.length === 0) return;
    const now = this.deps.clock.now();
    const channels = await this.channelsOf(tx, messages);
    // Of one moment, messages are shown by their ids: those sent together stay in their order.
    const ids = messages.map(() => newId(systemRandom, now)).toSorted((one, other) => (one < other ? -1 : 1));
    const written = messages.flatMap((addressed, at) => {
      const { inbox, mail } = channels[at]!;
      // What goes by mail alone is kept too, out of sight: so it is not mailed twice.
      return inbox || mail ? [{ ...addressed, id: ids[at]!, isHidden: !inbox, mail }] : [];
    });
    if (written.length === 0) return;
    const isNew = await this.deps.repository.insert(tx, written, now);
    await this.mailOut(
      tx,
      written.filter(({ id, mail }) => mail && isNew.has(id)),
    );
  }

  /** Where each of these messages goes; what its sender mails is not mailed here. */
  private async channelsOf(tx: Tx, messages: readonly AddressedMessage[]): Promise<Channels[]> {
    const topics = messages.map(({ message }) => topicOf(message.kind));
    const asked = messages.filter((_, at) => topics[at] !== undefined).map(({ userId }) => userId);
    const choices = asked.length === 0 ? undefined : await choicesOf(tx, [...new Set(asked)]);
    return messages.map(({ userId }, at) => {
      const topic = topics[at];
      if (topic === undefined) return { inbox: true, mail: false };
      const chosen = allowed(topic, choices?.get(choiceKey(userId, topic)) ?? {});
      return MAILED_BY_SENDER.has(topic) ? { inbox: chosen.inbox, mail: false } : chosen;
    });
  }

  /** Those of the users who chose to have a topic mailed; for modules that write the mails of their topic. */
  async mailedTo(tx: Tx, topic: NoticeTopic, users: readonly UserId[]): Promise<ReadonlySet<UserId>> {
    if (users.length === 0) return new Set();
    const choices = await choicesOf(tx, users);
    return new Set(users.filter((user) => allowed(topic, choices.get(choiceKey(user, topic)) ?? {}).mail));
  }

  private async mailOut(tx: Tx, messages: readonly AddressedMessage[]): Promise<void> {
    if (messages.length === 0) return;
    const readers = await mailReaders(tx, [...new Set(messages.map(({ userId }) => userId))]);
    for (const { userId, message } of messages) {
      const reader = readers.get(userId);
      if (reader === undefined) continue;
      const words = messageMail(reader.locale, message);
      await this.deps.mail.write(tx, { to: reader.email, purpose: `message.${message.kind}`, ...words });
    }
  }

  /** Tells the user's open pages how many messages are unread. */
  async announce(userId: UserId): Promise<void> {
    if (!this.deps.feed.hasPrivateListener(NOTICE_TOPIC, userId)) return;
    const count = await this.unreadCount(userId);
    this.deps.feed.publishPrivate(NOTICE_TOPIC, userId, { count });
  }

  /** Writes a message on its own; what was told `about` already is not told again. */
  async deliver(userId: UserId, message: Message, about?: string): Promise<void> {
    const addressed = { userId, message, ...(about !== undefined && { about }) };
    await this.deps.database.transaction((tx) => this.send(tx, [addressed]));
    await this.announce(userId);
  }

  async unreadCount(userId: UserId): Promise<number> {
    return (await this.unread(userId)).count;
  }

  /** How many are unread, in all and of each type. */
  async unread(userId: UserId): Promise<{ count: number; byType: Record<1 | 2 | 3 | 4, number> }> {
    const found = await this.deps.repository.unreadByType(userId);
    const { system, trade, asset, activity } = MESSAGE_TYPES;
    const of = (type: number) => found.get(type) ?? 0;
    const byType = { 1: of(system), 2: of(trade), 3: of(asset), 4: of(activity) };
    return { count: [...found.values()].reduce((sum, n) => sum + n, 0), byType };
  }

  page(userId: UserId, filter: MessageFilter): Promise<ListPage<StoredMessage>> {
    return this.deps.repository.page(userId, filter);
  }

  /** A message in full; it is read from now on. */
  async open(userId: UserId, id: string): Promise<StoredMessage> {
    const message = await this.deps.repository.open(userId, id, this.deps.clock.now());
    if (message === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    await this.announce(userId);
    return message;
  }

  /** Marks one or all read and gives how many are unread after that. */
  async markRead(userId: UserId, id: string | undefined): Promise<number> {
    const isFound = await this.deps.repository.markRead(userId, id, this.deps.clock.now());
    if (!isFound) throw new Refused(refusal('generic', 'l.not_found'));
    return this.countAnew(userId);
  }

  /** Deletes messages, or all that are read, and gives how many are unread after that. */
  async remove(userId: UserId, ids: readonly string[] | undefined): Promise<number> {
    await this.deps.repository.remove(userId, ids, this.deps.clock.now());
    return this.countAnew(userId);
  }

  /** How a user is told of each topic. */
  async choices(userId: UserId): Promise<(Channels & { readonly topic: NoticeTopic })[]> {
    const chosen = await choicesOf(this.deps.database.store, [userId]);
    return NOTICE_TOPICS.map((topic) => ({
      topic,
      ...allowed(topic, chosen.get(choiceKey(userId, topic)) ?? {}),
    }));
  }

  /** Chooses how a user is told of a topic, as far as it leaves a choice. */
  async choose(userId: UserId, topic: NoticeTopic, wanted: Partial<Channels>): Promise<Channels> {
    return this.deps.database.transaction(async (tx) => {
      const before = (await choicesOf(tx, [userId])).get(choiceKey(userId, topic));
      const choice = allowed(topic, wanted, before);
      await saveChoice(tx, userId, topic, choice);
      return choice;
    });
  }

  private async countAnew(userId: UserId): Promise<number> {
    const count = await this.unreadCount(userId);
    this.deps.feed.publishPrivate(NOTICE_TOPIC, userId, { count });
    return count;
  }
}
