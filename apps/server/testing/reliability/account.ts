import { setTimeout as sleep } from 'node:timers/promises';
import type { UserId } from '@exchange/core/ids.ts';
import { claimFaucet } from '@exchange/wire/account.ts';
import type { DataOf, Endpoint } from '@exchange/wire/endpoint.ts';
import { callOver, type Answered, type Sent } from '../calling.ts';
import { registerAt, type Registered } from '../register.ts';
import { seededRandom, type SeededRandom } from '../seeded-random.ts';

const MAINTENANCE = -15;
const RATE_LIMITED = -9;
const PAUSE_MS = { least: 20, most: 150 } as const;
/** Nobody's answer may take longer, whatever dies: the apps give up after 12 s and ask again. */
const ANSWER_TIMEOUT_MS = 20_000;

/** A signed-in user who calls the exchange as an app does: what got no answer is asked for again. */
export class Account {
  readonly id: UserId;
  readonly email: string;
  readonly token: string;
  readonly random: SeededRandom;
  /** Requests that had to be made again. */
  retries = 0;
  private readonly urls: readonly string[];
  private chosen = 0;
  private isClosed = false;

  private constructor(parts: Registered & { random: SeededRandom; urls: readonly string[] }) {
    this.id = parts.id;
    this.email = parts.email;
    this.token = parts.token;
    this.random = parts.random;
    this.urls = parts.urls;
  }

  /**
   * Registers with the code from the mail page and claims play money. Of several addresses the first one
   * serves until it gives no answer, then the next.
   */
  static async open(urls: readonly string[], seed: number): Promise<Account> {
    const registered = await registerAt(urls[0]!);
    const account = new Account({ ...registered, urls, random: seededRandom(seed) });
    await account.insist(claimFaucet, { clientId: account.claimKey });
    return account;
  }

  /** The request id of the claim. */
  get claimKey(): string {
    return this.email;
  }

  /** Gives up whatever it insists on; to be called when no answer can come any more. */
  close(): void {
    this.isClosed = true;
  }

  /** Asks until there is an answer: the server may be dying, starting, or without its database. */
  async insist<E extends Endpoint>(endpoint: E, fields: Sent<E>): Promise<Answered<DataOf<E>>> {
    for (;;) {
      const answer = await this.attempt(endpoint, fields);
      if (answer !== undefined) return answer;
      if (this.isClosed) throw new Error(`${endpoint.path} got no answer`);
      this.retries += 1;
      await sleep(this.random.whole(PAUSE_MS.least, PAUSE_MS.most));
    }
  }

  /** Insists, and throws when the answer is a refusal. */
  async ask<E extends Endpoint>(endpoint: E, fields: Sent<E>): Promise<DataOf<E>> {
    const answer = await this.insist(endpoint, fields);
    if (answer.code !== 1) throw new Error(`${endpoint.path} was refused: ${answer.text}`);
    return answer.data;
  }

  /** Asks once. Gives undefined when there is no answer, or only the one to come back later. */
  async attempt<E extends Endpoint>(endpoint: E, fields: Sent<E>): Promise<Answered<DataOf<E>> | undefined> {
    const url = this.urls[this.chosen % this.urls.length]!;
    const answering = callOver(url, endpoint, fields, { token: this.token }).catch(() => undefined);
    const answer = await Promise.race([answering, sleep(ANSWER_TIMEOUT_MS, 'late' as const, { ref: false })]);
    // No answer: nobody knows what became of it. That is what request ids are for.
    if (answer === undefined || answer === 'late') {
      this.chosen += 1;
      return undefined;
    }
    if (answer.status >= 500) throw new Error(`${endpoint.path} failed: ${answer.text}`);
    if (answer.code === MAINTENANCE) this.chosen += 1;
    return answer.code === MAINTENANCE || answer.code === RATE_LIMITED ? undefined : answer;
  }
}

/** Opens this many accounts, a few at a time: every one costs a slow password hash. */
export async function openAccounts(urls: readonly string[], count: number, seed: number): Promise<Account[]> {
  const arrivingAtOnce = 5;
  const accounts: Account[] = [];
  while (accounts.length < count) {
    const size = Math.min(arrivingAtOnce, count - accounts.length);
    const arriving = Array.from({ length: size }, (_, n) =>
      Account.open(urls, seed * 1_000 + accounts.length + n),
    );
    accounts.push(...(await Promise.all(arriving)));
  }
  return accounts;
}
