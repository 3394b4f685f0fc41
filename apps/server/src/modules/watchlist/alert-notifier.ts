import type { AlertMessage } from '@exchange/wire/feed.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import type { Feed } from '../../platform/feed/feed.ts';
import type { Log } from '../../platform/log.ts';
import type { Assets } from '../assets/index.ts';
import type { Identity, User } from '../identity/index.ts';
import type { Message, Messages } from '../messages/index.ts';
import type { AlertLine } from './alert-mail-repository.ts';
import { reachable, type AlertMail } from './alert-mail.ts';
import type { AlertRepository } from './repository.ts';
import type { AlertChange, PriceAlert } from './domain/alert.ts';
import { alertMessage } from './words/alert-words.ts';

export interface AlertNotifierDeps {
  readonly log: Log;
  readonly database: Database;
  readonly repository: AlertRepository;
  readonly assets: Assets;
  readonly identity: Pick<Identity, 'findUser'>;
  readonly feed: Pick<Feed, 'servePrivate' | 'hasPrivateListener' | 'publishPrivate'>;
  readonly messages: Pick<Messages, 'send' | 'announce' | 'words' | 'mailedTo'>;
  readonly alertMail: Pick<AlertMail, 'notify'>;
}

/** Private topic of the price alerts that triggered; every snapshot is empty. */
const ALERT_TOPIC = 'alert';

/** So many changes are stored in one transaction: a thousand alerts at one price keep nobody waiting for long. */
const GROUP_MOST = 100;

/** A triggered alert, in the words of its kind. */
interface Notice {
  readonly change: AlertChange;
  readonly message: Message;
  /** What goes by mail, and to whom. */
  readonly email: { readonly user: User; readonly line: AlertLine } | undefined;
}

/**
 * Stores what prices did to alerts, in order and in groups, each in one transaction with the messages and
 * the emails about it. A group that cannot be stored is taken apart; what cannot be stored alone is
 * tried again, and keeps back later changes of its own alert only.
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

  /** An alert is watched while it is being inserted: what happens to it waits until it is known to exist. */
  holdBack(id: string, inserted: Promise<boolean>): void {
    this.inserting.set(id, inserted);
    void inserted.then(() => this.inserting.delete(id));
  }

  /** Stores changes as soon as those before them are. */
  notify(changes: readonly AlertChange[]): void {
    for (const change of changes) this.waiting.push(change);
    this.run();
  }

  /** Tries again what has failed. */
  retry(): void {
    if (this.failed.length === 0 || this.running !== undefined) return;
    this.waiting = [...this.failed.splice(0), ...this.waiting];
    this.run();
  }

  /** The latest deal of which everything is stored, where `sequence` is the latest deal of all. */
  storedUpTo(sequence: number): number {
    const unstored = [...this.failed, ...this.waiting, ...this.writing];
    return unstored.reduce((least, { point }) => Math.min(least, point.sequence - 1), sequence);
  }

  /** Resolves when nothing more can be stored at the moment. */
  async settled(): Promise<void> {
    while (this.running !== undefined) await this.running;
  }

  /** Finishes the transaction under way; the rest is found again at the next start. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.settled();
  }

  private run(): void {
    if (this.running !== undefined || this.waiting.length === 0 || this.isStopped) return;
    this.running = this.storeAll().finally(() => (this.running = undefined));
  }

  private async storeAll(): Promise<void> {
    while (this.waiting.length > 0 && !this.isStopped) {
      const group = this.nextGroup();
      this.writing = group;
      if (group.length > 1 && (await this.isStored(group))) continue;
      for (const change of group) await this.storeAlone(change);
    }
    this.writing = [];
  }

  /** The next changes that can be stored, each of another alert; those behind a failed one fail with it. */
  private nextGroup(): readonly AlertChange[] {
    const held = new Set(this.failed.map(({ before }) => before.id));
    const group = new Map<string, AlertChange>();
    let taken = 0;
    for (const change of this.waiting) {
      const { id } = change.before;
      if (group.size === GROUP_MOST || group.has(id)) break;
      if (held.has(id)) this.failed.push(change);
      else group.set(id, change);
      taken += 1;
    }
    this.waiting = this.waiting.slice(taken);
    return [...group.values()];
  }

  private async isStored(group: readonly AlertChange[]): Promise<boolean> {
    try {
      await this.store(group);
      return true;
    } catch (cause) {
      // One of them may be the reason: each is stored for itself, so that it delays no other.
      this.deps.log.warn('watchlist.alerts_taken_apart', { alerts: group.length, cause });
      return false;
    }
  }

  private async storeAlone(change: AlertChange): Promise<void> {
    try {
      await this.store([change]);
    } catch (cause) {
      // Most likely the database is away for a moment: `retry` comes back to it.
      this.failed.push(change);
      this.deps.log.error('watchlist.alert_not_stored', { alert: change.before.id, cause });
    }
  }

  private async store(group: readonly AlertChange[]): Promise<void> {
    const { database, repository, messages } = this.deps;
    const changes: AlertChange[] = [];
    for (const change of group) if (await this.mayStore(change)) changes.push(change);
    if (changes.length === 0) return;
    const notices: Notice[] = [];
    for (const change of changes) if (change.kind === 'triggered') notices.push(await this.noticeOf(change));
    const { addressed, triggered } = await database.transaction(async (tx) => {
      // Removed by its owner meanwhile, or triggered in a process that took over: then nothing is sent here.
      const stored = await repository.change(tx, changes);
      const triggeredNow = notices.filter(({ change }) => stored.has(change.before.id));
      const toInboxes = triggeredNow.flatMap(({ change: { before }, message }) =>
        before.channels.includes('inbox') ? [{ userId: before.owner, message }] : [],
      );
      await messages.send(tx, toInboxes);
      await this.notifyByMail(tx, triggeredNow);
      return { addressed: toInboxes, triggered: triggeredNow };
    });
    this.publish(triggered);
    for (const owner of new Set(addressed.map(({ userId }) => userId))) await this.ring(owner);
  }

  /** Publishes alerts that triggered to the open pages of their owners, however else these are notified. */
  private publish(triggered: readonly Notice[]): void {
    const { feed, assets } = this.deps;
    for (const { change } of triggered) {
      const { before, point } = change;
      if (!feed.hasPrivateListener(ALERT_TOPIC, before.owner)) continue;
      const { base, quote, priceDigits } = assets.findPair(before.symbol)!.pair;
      const message: AlertMessage = [
        {
          id: before.id,
          symbol: before.symbol,
          baseCoin: base,
          quoteCoin: quote,
          condition: before.condition,
          price: before.price.toString(),
          from: before.from.toPlaces(priceDigits),
          lastPrice: point.price.toPlaces(priceDigits),
          time: point.at,
        },
      ];
      feed.publishPrivate(ALERT_TOPIC, before.owner, message);
    }
  }

  private async notifyByMail(tx: Tx, triggered: readonly Notice[]): Promise<void> {
    const emails = triggered.flatMap(({ email }) => email ?? []);
    const users = new Map(emails.map(({ user }) => [user.id, user]));
    const mailed = await this.deps.messages.mailedTo(tx, 'alerts', [...users.keys()]);
    for (const user of users.values()) {
      if (!mailed.has(user.id)) continue;
      const lines = emails.filter((email) => email.user.id === user.id).map(({ line }) => line);
      await this.deps.alertMail.notify(tx, user, lines);
    }
  }

  /** Waits until an alert that is being inserted is there; false where it has come to nothing. */
  private async mayStore({ before: { id, symbol } }: AlertChange): Promise<boolean> {
    // A pair that is no longer listed has no deals, so nothing triggers.
    return (await this.inserting.get(id)) !== false && this.deps.assets.findPair(symbol) !== undefined;
  }

  private async noticeOf(change: AlertChange): Promise<Notice> {
    const { before } = change;
    const message = alertMessage(change, this.deps.assets.findPair(before.symbol)!.pair);
    const email = before.channels.includes('mail') ? await this.emailTo(before, message) : undefined;
    return { change, message, email };
  }

  private async emailTo({ owner }: PriceAlert, message: Message): Promise<Notice['email']> {
    const user = await reachable(this.deps.identity, owner);
    if (user === undefined) return undefined;
    const { title, content } = this.deps.messages.words(user.locale, message);
    return { user, line: { title, content } };
  }

  private async ring(owner: PriceAlert['owner']): Promise<void> {
    try {
      await this.deps.messages.announce(owner);
    } catch (cause) {
      // The message stands; the bell shows it at its next reading.
      this.deps.log.warn('watchlist.bell_not_rung', { cause });
    }
  }
}
