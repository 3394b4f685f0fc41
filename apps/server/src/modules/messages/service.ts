import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import type { Feed } from '../../platform/feed/feed.ts';
import { newId, systemRandom } from '../../platform/secrets/random.ts';
import type { AddressedMessage, Message, StoredMessage } from './domain.ts';
import type { MessageFilter, MessageRepository } from './repository.ts';

export const NOTICE_TOPIC = 'notice';

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  readonly feed: Feed;
  readonly repository: MessageRepository;
}

/** Writes into inboxes and reads from them. */
export class MessageService {
  private readonly deps: Deps;

  constructor(deps: Deps) {
    this.deps = deps;
  }

  /** Writes messages within the caller's transaction; call `announce` after its commit. */
  async send(tx: Tx, messages: readonly AddressedMessage[]): Promise<void> {
    if (messages.length === 0) return;
    const now = this.deps.clock.now();
    const written = messages.map((addressed) => ({ ...addressed, id: newId(systemRandom, now) }));
    await this.deps.repository.insert(tx, written, now);
  }

  /** Tells the user's open pages how many messages are unread. */
  async announce(userId: UserId): Promise<void> {
    if (!this.deps.feed.hasPrivateListener(NOTICE_TOPIC, userId)) return;
    const count = await this.unreadCount(userId);
    this.deps.feed.publishPrivate(NOTICE_TOPIC, userId, { count });
  }

  /** Writes a message on its own. */
  async deliver(userId: UserId, message: Message): Promise<void> {
    await this.deps.database.transaction((tx) => this.send(tx, [{ userId, message }]));
    await this.announce(userId);
  }

  unreadCount(userId: UserId): Promise<number> {
    return this.deps.repository.unreadCount(userId);
  }

  page(userId: UserId, filter: MessageFilter): Promise<{ list: readonly StoredMessage[]; count: number }> {
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
    const count = await this.unreadCount(userId);
    this.deps.feed.publishPrivate(NOTICE_TOPIC, userId, { count });
    return count;
  }
}
