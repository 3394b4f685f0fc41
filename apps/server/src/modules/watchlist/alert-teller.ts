import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import type { Assets } from '../assets/index.ts';
import type { Identity } from '../identity/index.ts';
import type { Message, Messages } from '../messages/index.ts';
import type { AlertRepository } from './alert-repository.ts';
import type { AlertChange, PriceAlert } from './domain/alert.ts';
import { alertMessage, LETTER_CLOSING } from './words/alert-words.ts';

export interface AlertTellerDeps {
  readonly log: Log;
  readonly database: Database;
  readonly repository: AlertRepository;
  readonly assets: Assets;
  readonly identity: Pick<Identity, 'findUser'>;
  readonly messages: Pick<Messages, 'send' | 'announce' | 'words'>;
  readonly mail: Mail;
}
/**
 * Stores what prices did to alerts, one after the other, each in one transaction with the message and the
 * letter that tell of it. What cannot be stored is tried again, and keeps back later changes of its own
 * alert only.
 */
export class AlertTeller {
  private readonly deps: AlertTellerDeps;
  private readonly inserting = new Map<string, Promise<boolean>>();
  private waiting: AlertChange[] = [];
  private failed: AlertChange[] = [];
  private writing: AlertChange | undefined;
  private running: Promise<void> | undefined;
  private isStopped = false;

  constructor(deps: AlertTellerDeps) {
    this.deps = deps;
  }

  /** An alert is watched while it is being inserted: what happens to it waits until it is known to exist. */
  holdBack(id: string, inserted: Promise<boolean>): void {
    this.inserting.set(id, inserted);
    void inserted.then(() => this.inserting.delete(id));
  }

  /** Stores changes as soon as those before them are. */
  tell(changes: readonly AlertChange[]): void {
    this.waiting.push(...changes);
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
    const unstored = [...this.failed, ...this.waiting, ...(this.writing === undefined ? [] : [this.writing])];
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
      const change = this.waiting.shift()!;
      if (this.failed.some(({ before }) => before.id === change.before.id)) {
        this.failed.push(change);
        continue;
      }
      this.writing = change;
      try {
        await this.store(change);
      } catch (cause) {
        // Most likely the database is away for a moment: `retry` comes back to it.
        this.failed.push(change);
        this.deps.log.error('watchlist.alert_not_stored', { alert: change.before.id, cause });
      }
      this.writing = undefined;
    }
  }

  private async store(change: AlertChange): Promise<void> {
    const { database, repository, assets, messages } = this.deps;
    const { id, owner, symbol, channels } = change.before;
    if ((await this.inserting.get(id)) === false) return;
    const listed = assets.findPair(symbol);
    // A pair that is no longer listed has no deals, so nothing is told of it.
    if (listed === undefined) return;
    const message = change.kind === 'told' ? alertMessage(change, listed.pair) : undefined;
    const letter =
      message && channels.includes('mail') ? await this.letterTo(change.before, message) : undefined;
    const isStored = await database.transaction(async (tx) => {
      // Removed by its owner meanwhile, or told by a process that took over: then nothing is told here.
      if (!(await repository.change(tx, change))) return false;
      if (message !== undefined && channels.includes('inbox')) await messages.send(tx, owner, message);
      if (letter !== undefined) await this.deps.mail.write(tx, letter);
      return true;
    });
    if (isStored && message !== undefined && channels.includes('inbox')) await this.ring(owner);
  }

  private async letterTo({ owner }: PriceAlert, message: Message) {
    const user = await this.deps.identity.findUser(owner);
    if (user === undefined || user.email === '') return undefined;
    const { title, content } = this.deps.messages.words(user.locale, message);
    const text = `${content}\n\n${LETTER_CLOSING[user.locale]}\n`;
    return { to: user.email, purpose: 'priceAlert', subject: title, text };
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
