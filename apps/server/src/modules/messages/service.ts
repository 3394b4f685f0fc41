import type { UserId } from '@exchange/core/ids.ts';
import type { PushKind } from '@exchange/core/push.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import type { Feed } from '../../platform/feed/feed.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import { newId, systemRandom } from '../../platform/secrets/random.ts';
import type { ListPage } from '../../platform/database/paged-rows.ts';
import { mailReaders } from '../identity/index.ts';
import type { MessageCatalogue } from './catalogue.ts';
import type { PushChannel } from './push-channel.ts';
import {
  choiceKey,
  choicesOf,
  saveChoice,
  type MessageFilter,
  type MessageRepository,
} from './repository.ts';
import { MESSAGE_TYPES, type AddressedMessage, type Message, type StoredMessage } from './domain.ts';
import {
  applyChoice,
  MAILED_BY_SENDER,
  NOTICE_TOPICS,
  TOPIC_RULES,
  type Channels,
  type NoticeTopic,
} from './topics.ts';
import { mandatoryMail, messageMail } from './words/mail-words.ts';

export const NOTICE_TOPIC = 'notice';

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  readonly feed: Feed;
  readonly catalogue: Pick<MessageCatalogue, 'pushKindOf' | 'topicOf' | 'words'>;
  readonly repository: MessageRepository;
  readonly mail: Mail;
}

/** Stores messages for inboxes, queues their mails and pushes, and reads inboxes. */
export class MessageService {
  private readonly deps: Deps;
  private pushChannel: PushChannel | undefined;

  constructor(deps: Deps) {
    this.deps = deps;
  }

  /**
   * Sets the channel through which messages are also pushed to devices from now on; before the call none are pushed.
   */
  pushBy(channel: PushChannel): void {
    this.pushChannel = channel;
  }

  /**
   * Stores messages in the caller's transaction and queues their mails and pushes, according to their readers'
   * settings. Drops a message that these settings deliver nowhere, and one with the same kind and `about` as a stored
   * message, even if that one has another reader. The caller calls `announce` for each reader after the commit.
   */
  async send(tx: Tx, messages: readonly AddressedMessage[]): Promise<void> {
    if (messages.length === 0) return;
    const now = this.deps.clock.now();
    const channels = await this.channelsOf(tx, messages);
    const pushKinds = await this.pushKindsOf(tx, messages);
    // Messages of the same instant are ordered by id, so sorted ids preserve the order of the batch.
    const ids = messages
      .map(() => newId(systemRandom, now))
      .toSorted((left, right) => (left < right ? -1 : 1));
    const deliverable = messages.flatMap((addressed, index) => {
      const { inbox, mail } = channels[index]!;
      const pushKind = pushKinds[index];
      if (!inbox && !mail && pushKind === undefined) return [];
      // Messages that are only mailed or pushed are stored too, hidden from the inbox, so that later duplicates are
      // detected.
      return [{ ...addressed, id: ids[index]!, isHidden: !inbox, mail, pushKind }];
    });
    if (deliverable.length === 0) return;
    const isNew = await this.deps.repository.insert(tx, deliverable, now);
    await this.mailOut(
      tx,
      deliverable.filter(({ id, mail }) => mail && isNew.has(id)),
    );
    const pushed = deliverable.flatMap(({ id, userId, message, pushKind }) =>
      pushKind !== undefined && isNew.has(id) ? [{ id, userId, message, pushKind }] : [],
    );
    if (pushed.length > 0) await this.pushChannel?.enqueue(tx, pushed);
  }

  /**
   * For each message, its push kind if a device of the reader has it enabled, otherwise undefined. The result
   * is empty if no message has a push kind.
   */
  private async pushKindsOf(
    tx: Tx,
    messages: readonly AddressedMessage[],
  ): Promise<readonly (PushKind | undefined)[]> {
    const kinds = messages.map(({ message }) => this.deps.catalogue.pushKindOf(message.kind));
    const readers = messages.filter((_, index) => kinds[index] !== undefined).map(({ userId }) => userId);
    if (readers.length === 0) return [];
    const wanted = await this.pushChannel?.wantedKinds(tx, [...new Set(readers)]);
    return messages.map(({ userId }, index) => {
      const kind = kinds[index];
      return kind !== undefined && wanted?.get(userId)?.has(kind) === true ? kind : undefined;
    });
  }

  /**
   * Whether each message is delivered to the inbox, and whether it is mailed. Hidden messages are not shown in the
   * inbox. Messages on topics whose module writes its own mails are not mailed here.
   */
  private async channelsOf(tx: Tx, messages: readonly AddressedMessage[]): Promise<Channels[]> {
    const topics = messages.map(({ message }) => this.deps.catalogue.topicOf(message.kind));
    const recipients = messages.filter((_, index) => topics[index] !== undefined).map(({ userId }) => userId);
    const choices = recipients.length === 0 ? undefined : await choicesOf(tx, [...new Set(recipients)]);
    return messages.map(({ userId, isHidden = false }, index) => {
      const topic = topics[index];
      if (topic === undefined) return { inbox: !isHidden, mail: false };
      const chosen = applyChoice(topic, choices?.get(choiceKey(userId, topic)) ?? {});
      return { inbox: chosen.inbox && !isHidden, mail: chosen.mail && !MAILED_BY_SENDER.has(topic) };
    });
  }

  /**
   * Those of the users who receive mails on a topic, by their own setting or, if they have none, by the default; for
   * modules that write the mails of their topic themselves.
   */
  async usersWantingMail(tx: Tx, topic: NoticeTopic, users: readonly UserId[]): Promise<ReadonlySet<UserId>> {
    if (users.length === 0) return new Set();
    const choices = await choicesOf(tx, users);
    return new Set(
      users.filter((user) => applyChoice(topic, choices.get(choiceKey(user, topic)) ?? {}).mail),
    );
  }

  private async mailOut(tx: Tx, messages: readonly AddressedMessage[]): Promise<void> {
    if (messages.length === 0) return;
    const readers = await mailReaders(tx, [...new Set(messages.map(({ userId }) => userId))]);
    for (const { userId, message } of messages) {
      const reader = readers.get(userId);
      if (reader === undefined) continue;
      const topic = this.deps.catalogue.topicOf(message.kind);
      const isMandatory = topic !== undefined && TOPIC_RULES[topic].fixed.mail;
      const texts = this.deps.catalogue.words(reader.locale, message);
      const words = (isMandatory ? mandatoryMail : messageMail)(reader.locale, texts);
      await this.deps.mail.write(tx, { to: reader.email, purpose: `message.${message.kind}`, ...words });
    }
  }

  /** Publishes the unread count to those connections of the user that subscribe to it. */
  async announce(userId: UserId): Promise<void> {
    if (!this.deps.feed.hasPrivateListener(NOTICE_TOPIC, userId)) return;
    const count = await this.unreadCount(userId);
    this.deps.feed.publishPrivate(NOTICE_TOPIC, userId, { count });
  }

  /**
   * Writes one message in its own transaction, unless the reader's settings deliver it nowhere or a message
   * of its kind about the object `about` is stored already; calls `announce` afterwards in all cases.
   */
  async deliver(userId: UserId, message: Message, about?: string): Promise<void> {
    const addressed = { userId, message, ...(about !== undefined && { about }) };
    await this.deps.database.transaction((tx) => this.send(tx, [addressed]));
    await this.announce(userId);
  }

  async unreadCount(userId: UserId): Promise<number> {
    return (await this.unread(userId)).count;
  }

  /** Number of unread messages, in total and by type; at most `PAGED_ROWS_MAX` messages are counted. */
  async unread(userId: UserId): Promise<{ count: number; byType: Record<1 | 2 | 3 | 4, number> }> {
    const counts = await this.deps.repository.unreadByType(userId);
    const { system, trade, asset, activity } = MESSAGE_TYPES;
    const countOf = (type: number) => counts.get(type) ?? 0;
    const byType = { 1: countOf(system), 2: countOf(trade), 3: countOf(asset), 4: countOf(activity) };
    return { count: [...counts.values()].reduce((sum, n) => sum + n, 0), byType };
  }

  page(userId: UserId, filter: MessageFilter): Promise<ListPage<StoredMessage>> {
    return this.deps.repository.page(userId, filter);
  }

  /**
   * Returns a message, marks it as read and announces the unread count. Refuses with `l.not_found` if the user has no
   * such message.
   */
  async open(userId: UserId, id: string): Promise<StoredMessage> {
    const message = await this.deps.repository.open(userId, id, this.deps.clock.now());
    if (message === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    await this.announce(userId);
    return message;
  }

  /**
   * Marks the message `id` as read, or all messages if `id` is undefined. Announces and returns the number of messages
   * that are still unread. Refuses an unknown `id` with `l.not_found`.
   */
  async markRead(userId: UserId, id: string | undefined): Promise<number> {
    const isFound = await this.deps.repository.markRead(userId, id, this.deps.clock.now());
    if (!isFound) throw new Refused(refusal('generic', 'l.not_found'));
    return this.publishCount(userId);
  }

  /**
   * Deletes those of the messages `ids` that are the user's, or all the user's read messages if `ids` is undefined.
   * Returns the number of messages that are still unread, and publishes it on the user's private feed.
   */
  async remove(userId: UserId, ids: readonly string[] | undefined): Promise<number> {
    await this.deps.repository.remove(userId, ids, this.deps.clock.now());
    return this.publishCount(userId);
  }

  /** For every topic, whether a user receives its messages in the inbox and by mail. */
  async choices(userId: UserId): Promise<(Channels & { readonly topic: NoticeTopic })[]> {
    const chosen = await choicesOf(this.deps.database.store, [userId]);
    return NOTICE_TOPICS.map((topic) => ({
      topic,
      ...applyChoice(topic, chosen.get(choiceKey(userId, topic)) ?? {}),
    }));
  }

  /**
   * Changes whether a user receives messages on a topic in the inbox and by mail. Channels that the topic requires stay
   * switched on. Returns the stored setting.
   */
  async choose(userId: UserId, topic: NoticeTopic, changes: Partial<Channels>): Promise<Channels> {
    return this.deps.database.transaction(async (tx) => {
      const previous = (await choicesOf(tx, [userId])).get(choiceKey(userId, topic));
      const choice = applyChoice(topic, changes, previous);
      await saveChoice(tx, userId, topic, choice);
      return choice;
    });
  }

  private async publishCount(userId: UserId): Promise<number> {
    const count = await this.unreadCount(userId);
    this.deps.feed.publishPrivate(NOTICE_TOPIC, userId, { count });
    return count;
  }
}
