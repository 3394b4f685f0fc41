import { later, type Instant } from '@exchange/core/time.ts';
import type { AlertMessage } from '@exchange/wire/feed.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import type { Feed } from '../../platform/feed/feed.ts';
import type { Log } from '../../platform/log.ts';
import type { Assets } from '../assets/index.ts';
import type { Identity, User } from '../identity/index.ts';
import type { Message, Messages } from '../messages/index.ts';
import type { AlertLine } from './alert-mail-repository.ts';
import { reachableUser, type AlertMail } from './alert-mail.ts';
import type { AlertRepository } from './repository.ts';
import type { AlertOrders } from './alert-orders.ts';
import { ALERT_TOPIC, type AlertChange, type PriceAlert } from './domain/alert.ts';
import { presentTriggered } from './present.ts';
import { alertMessage } from './words/alert-words.ts';

export interface AlertNotifierDeps {
  readonly log: Log;
  readonly database: Database;
  readonly repository: AlertRepository;
  readonly assets: Assets;
  readonly identity: Pick<Identity, 'findUser'>;
  readonly feed: Pick<Feed, 'servePrivate' | 'hasPrivateListener' | 'publishPrivate'>;
  readonly messages: Pick<Messages, 'send' | 'announce' | 'words' | 'usersWantingMail'>;
  readonly alertMail: Pick<AlertMail, 'notify'>;
  readonly orders: Pick<AlertOrders, 'notifyDue'>;
}

/**
 * Maximum number of changed price alerts per transaction, so that a thousand alerts that trigger at the same price do
 * not block other users for long.
 */
const GROUP_MAX = 100;

/** A triggered price alert with the message to its owner. */
interface Notice {
  readonly change: AlertChange;
  readonly message: Message;
  /** The alert's lines in an email and the recipient; undefined if the alert is not sent by email. */
  readonly email: { readonly user: User; readonly line: AlertLine } | undefined;
}

/**
 * Stores changes of alerts in the order in which they were queued, in groups. Each group is stored in one transaction
 * with its messages and emails. If a group cannot be stored, its changes are stored one by one. A change that fails on
 * its own waits for `retry` and delays only later changes of the same alert.
 */
export class AlertNotifier {
  private readonly deps: AlertNotifierDeps;
  private readonly inserting = new Map<string, Promise<boolean>>();
  private waiting: AlertChange[] = [];
  private failed: AlertChange[] = [];
  private writing: readonly AlertChange[] = [];
  private running: Promise<void> | undefined;
  private isStopped = false;

  constructor(deps: AlertNotifierDeps) {
    this.deps = deps;
    deps.feed.servePrivate(ALERT_TOPIC, () => Promise.resolve([] satisfies AlertMessage));
  }

  /**
   * Delays storing changes of a price alert until its insert has completed, because an alert is watched while it is
   * still being inserted.
   */
  delayUntilInserted(id: string, inserted: Promise<boolean>): void {
    this.inserting.set(id, inserted);
    void inserted.then(() => this.inserting.delete(id));
  }

  /** Queues changes of price alerts, which are then stored in this order. */
  enqueue(changes: readonly AlertChange[]): void {
    for (const change of changes) this.waiting.push(change);
    this.run();
  }

  /**
   * Queues the changes that could not be stored once more, before all waiting ones; does nothing while changes are
   * being stored.
   */
  retry(): void {
    if (this.failed.length === 0 || this.running !== undefined) return;
    this.waiting = [...this.failed.splice(0), ...this.waiting];
    this.run();
  }

  /**
   * Returns the sequence number of the trade up to which all changes of price alerts are stored: `sequence`,
   * the number of the latest checked trade, or less while changes wait or have failed.
   */
  storedUpTo(sequence: number): number {
    const unstored = [...this.failed, ...this.waiting, ...this.writing];
    return unstored.reduce((least, { point }) => Math.min(least, point.sequence - 1), sequence);
  }

  /**
   * Returns the time up to which all triggers of alerts by closed candles are stored: `at`, the time up to which
   * candles were checked, or a time before the earliest such trigger that is not stored yet.
   */
  candlesStoredUpTo(at: Instant): Instant {
    const unstored = [...this.failed, ...this.waiting, ...this.writing];
    return unstored.reduce(
      (least, { before, point }) =>
        before.average === undefined || point.at > least ? least : later(point.at, -1),
      at,
    );
  }

  /**
   * Resolves when no change of a price alert is being stored and none waits to be stored. Failed changes are not
   * considered.
   */
  async whenIdle(): Promise<void> {
    while (this.running !== undefined) await this.running;
  }

  /**
   * Stops storing changes of price alerts after the running group. The next start detects the changes that
   * are not stored.
   */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.whenIdle();
  }

  private run(): void {
    if (this.running !== undefined || this.waiting.length === 0 || this.isStopped) return;
    this.running = this.storeAll().finally(() => (this.running = undefined));
  }

  private async storeAll(): Promise<void> {
    while (this.waiting.length > 0 && !this.isStopped) {
      const group = this.nextGroup();
      this.writing = group;
      if (group.length > 1 && (await this.tryStore(group))) continue;
      for (const change of group) await this.storeAlone(change);
    }
    this.writing = [];
  }

  /**
   * Removes the next changes of price alerts from the queue and returns them, at most one per alert. A change of an
   * alert that has an earlier failed change is moved to the failed changes.
   */
  private nextGroup(): readonly AlertChange[] {
    const failedIds = new Set(this.failed.map(({ before }) => before.id));
    const group = new Map<string, AlertChange>();
    let count = 0;
    for (const change of this.waiting) {
      const { id } = change.before;
      if (group.size === GROUP_MAX || group.has(id)) break;
      if (failedIds.has(id)) this.failed.push(change);
      else group.set(id, change);
      count += 1;
    }
    this.waiting = this.waiting.slice(count);
    return [...group.values()];
  }

  private async tryStore(group: readonly AlertChange[]): Promise<boolean> {
    try {
      await this.storeGroup(group);
      return true;
    } catch (cause) {
      // A single change may have made the whole group fail. So each change is then stored alone and cannot block the
      // others.
      this.deps.log.warn('watchlist.alerts_taken_apart', { alerts: group.length, cause });
      return false;
    }
  }

  private async storeAlone(change: AlertChange): Promise<void> {
    try {
      await this.storeGroup([change]);
    } catch (cause) {
      // The change of the price alert could not be stored, probably because the database is unavailable.
      // `retry` stores it later.
      this.failed.push(change);
      this.deps.log.error('watchlist.alert_not_stored', { alert: change.before.id, cause });
    }
  }

  private async storeGroup(group: readonly AlertChange[]): Promise<void> {
    const { database, repository, messages } = this.deps;
    const changes: AlertChange[] = [];
    for (const change of group) if (await this.mayStore(change)) changes.push(change);
    if (changes.length === 0) return;
    const notices: Notice[] = [];
    for (const change of changes) if (change.kind === 'triggered') notices.push(await this.noticeOf(change));
    const sent = await database.transaction(async (tx) => {
      // If the owner has removed the price alert in the meantime, or another process has triggered it, nothing is
      // changed and no message is sent.
      const stored = await repository.change(tx, changes);
      const storedNotices = notices.filter(({ change }) => stored.has(change.before.id));
      // Devices receive the message as a push whichever channels the owner chose for the alert. The inbox
      // shows it only if the owner chose the inbox.
      const addressed = storedNotices.map(({ change: { before }, message }) => ({
        userId: before.owner,
        message,
        isHidden: !before.channels.includes('inbox'),
      }));
      await messages.send(tx, addressed);
      await this.notifyByMail(tx, storedNotices);
      return { addressed, triggered: storedNotices };
    });
    if (sent.triggered.some(({ change }) => change.before.order !== undefined)) this.deps.orders.notifyDue();
    this.publish(sent.triggered);
    const shown = sent.addressed.filter(({ isHidden }) => !isHidden);
    for (const owner of new Set(shown.map(({ userId }) => userId))) await this.announce(owner);
  }

  /**
   * Publishes triggered alerts to the open pages of their owners, whether or not the alerts also use inbox or email.
   */
  private publish(triggered: readonly Notice[]): void {
    const { feed, assets } = this.deps;
    for (const { change } of triggered) {
      const { owner, symbol } = change.before;
      if (!feed.hasPrivateListener(ALERT_TOPIC, owner)) continue;
      const message: AlertMessage = [presentTriggered(change, assets.findPair(symbol)!.pair)];
      feed.publishPrivate(ALERT_TOPIC, owner, message);
    }
  }

  private async notifyByMail(tx: Tx, triggered: readonly Notice[]): Promise<void> {
    const emails = triggered.flatMap(({ email }) => email ?? []);
    const users = new Map(emails.map(({ user }) => [user.id, user]));
    const mailed = await this.deps.messages.usersWantingMail(tx, 'alerts', [...users.keys()]);
    for (const user of users.values()) {
      if (!mailed.has(user.id)) continue;
      const lines = emails.filter((email) => email.user.id === user.id).map(({ line }) => line);
      await this.deps.alertMail.notify(tx, user, lines);
    }
  }

  /**
   * Waits until the insert of the price alert has completed. Returns whether the change can be stored: false if the
   * insert failed or the pair is no longer listed.
   */
  private async mayStore({ before: { id, symbol } }: AlertChange): Promise<boolean> {
    // No change is stored for an alert of a pair that is no longer listed: the pair has no trades, so the
    // alert cannot trigger.
    return (await this.inserting.get(id)) !== false && this.deps.assets.findPair(symbol) !== undefined;
  }

  private async noticeOf(change: AlertChange): Promise<Notice> {
    const { before } = change;
    const message = alertMessage(change, this.deps.assets.findPair(before.symbol)!.pair);
    const email = before.channels.includes('mail') ? await this.emailTo(before, message) : undefined;
    return { change, message, email };
  }

  private async emailTo({ owner }: PriceAlert, message: Message): Promise<Notice['email']> {
    const user = await reachableUser(this.deps.identity, owner);
    if (user === undefined) return undefined;
    const { title, content } = this.deps.messages.words(user.locale, message);
    return { user, line: { title, content } };
  }

  private async announce(owner: PriceAlert['owner']): Promise<void> {
    try {
      await this.deps.messages.announce(owner);
    } catch (cause) {
      // The message is stored. Only the notification of open pages has failed; a page shows the message at its next
      // request.
      this.deps.log.warn('watchlist.bell_not_rung', { cause });
    }
  }
}
