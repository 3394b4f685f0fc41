import { setTimeout as sleep } from 'node:timers/promises';
import type { UserId } from '@exchange/core/ids.ts';
import { claimFaucet } from '@exchange/wire/account.ts';
import type { DataOf, Endpoint } from '@exchange/wire/endpoint.ts';
import { callOver, type ApiResponse, type RequestFields } from '../calling.ts';
import { registerAt, type Registered } from '../register.ts';
import { seededRandom, type SeededRandom } from '../seeded-random.ts';

const MAINTENANCE = -15;
const RATE_LIMITED = -9;
/** Code with which an API node answers if it does not know whether the writer has executed the request. */
const OUTCOME_UNKNOWN = -17;
const PAUSE_MS = { least: 20, most: 150 } as const;
/**
 * Milliseconds without a response after which the account sends a request again. They are more than the apps' timeout
 * of 12 s.
 */
const ANSWER_TIMEOUT_MS = 20_000;

/**
 * A signed-in user of a reliability programme who calls the exchange over HTTP as an app does: a request without a
 * response is sent again.
 */
export class Account {
  readonly id: UserId;
  readonly email: string;
  readonly token: string;
  readonly random: SeededRandom;
  /** Number of retries of the account's requests. */
  retries = 0;
  private readonly urls: readonly string[];
  private urlIndex = 0;
  private isClosed = false;

  private constructor(parts: Registered & { random: SeededRandom; urls: readonly string[] }) {
    this.id = parts.id;
    this.email = parts.email;
    this.token = parts.token;
    this.random = parts.random;
    this.urls = parts.urls;
  }

  /**
   * Registers a user with the code from the demo's mail page and claims demo funds. If several server URLs are given,
   * the account uses one URL until its server does not respond or reports maintenance, and then the next.
   */
  static async open(urls: readonly string[], seed: number): Promise<Account> {
    const registered = await registerAt(urls[0]!);
    const account = new Account({ ...registered, urls, random: seededRandom(seed) });
    await account.requestWithRetries(claimFaucet, { clientId: account.claimKey });
    return account;
  }

  /** Request id of the account's claim of demo funds. */
  get claimKey(): string {
    return this.email;
  }

  /** Ends all retries: a request that gets no final response from now on makes its caller's promise reject. */
  close(): void {
    this.isClosed = true;
  }

  /**
   * Sends a request until the server accepts or refuses it. It is repeated after no response, during
   * maintenance, after an unknown outcome, and after a refusal by a rate limit. Throws if the account is
   * closed before a final response, and for any other HTTP status of 500 or more.
   */
  async requestWithRetries<E extends Endpoint>(
    endpoint: E,
    fields: RequestFields<E>,
  ): Promise<ApiResponse<DataOf<E>>> {
    for (;;) {
      const answer = await this.requestOnce(endpoint, fields);
      if (answer !== undefined) return answer;
      if (this.isClosed) throw new Error(`${endpoint.path} got no answer`);
      this.retries += 1;
      await sleep(this.random.whole(PAUSE_MS.least, PAUSE_MS.most));
    }
  }

  /** Like `requestWithRetries`, and throws if the request is refused. Returns the answer's data. */
  async request<E extends Endpoint>(endpoint: E, fields: RequestFields<E>): Promise<DataOf<E>> {
    const answer = await this.requestWithRetries(endpoint, fields);
    if (answer.code !== 1) throw new Error(`${endpoint.path} was refused: ${answer.text}`);
    return answer.data;
  }

  /**
   * Sends a request once. Returns undefined, so that the caller can repeat it, if there is no response within
   * `ANSWER_TIMEOUT_MS`, the server reports maintenance or an unknown outcome, or a rate limit refuses the request.
   * Throws for any other HTTP status of 500 or more.
   */
  async requestOnce<E extends Endpoint>(
    endpoint: E,
    fields: RequestFields<E>,
  ): Promise<ApiResponse<DataOf<E>> | undefined> {
    const url = this.urls[this.urlIndex % this.urls.length]!;
    const answering = callOver(url, endpoint, fields, { token: this.token }).catch(() => undefined);
    const answer = await Promise.race([answering, sleep(ANSWER_TIMEOUT_MS, 'late' as const, { ref: false })]);
    // Without a response it is unknown whether the request was executed. The caller may send it again, because the
    // request id prevents a second execution.
    if (answer === undefined || answer === 'late') {
      this.urlIndex += 1;
      return undefined;
    }
    if (answer.code === MAINTENANCE || answer.code === OUTCOME_UNKNOWN) {
      this.urlIndex += 1;
      return undefined;
    }
    if (answer.status >= 500) throw new Error(`${endpoint.path} failed: ${answer.text}`);
    return answer.code === RATE_LIMITED ? undefined : answer;
  }
}

/** Opens accounts a few at a time, because each registration computes a slow password hash. */
export async function openAccounts(urls: readonly string[], count: number, seed: number): Promise<Account[]> {
  const groupSize = 5;
  const accounts: Account[] = [];
  while (accounts.length < count) {
    const size = Math.min(groupSize, count - accounts.length);
    const opening = Array.from({ length: size }, (_, n) =>
      Account.open(urls, seed * 1_000 + accounts.length + n),
    );
    accounts.push(...(await Promise.all(opening)));
  }
  return accounts;
}
