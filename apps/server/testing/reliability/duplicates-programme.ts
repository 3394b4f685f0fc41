import { setTimeout as sleep } from 'node:timers/promises';
import { cancelAllOrders } from '@exchange/wire/spot.ts';
import pg from 'pg';
import { clientOptions } from '../../src/platform/database/pool.ts';
import { seededRandom, type SeededRandom } from '../seeded-random.ts';
import { openAccounts, type Account } from './account.ts';
import { checkStored, openCounts } from './checks.ts';
import { disturb } from './disturbances.ts';
import { seconds, Timings } from './figures.ts';
import { bestPrice } from './market-price.ts';
import { Pacer } from './pacer.ts';
import { ProxiedServers } from './proxied-servers.ts';
import { fieldsToSend, REPEATABLE_CALLS, type IntendedRequest } from './repeatable-calls.ts';
import { answerProblems, isAccepted } from './wave-answers.ts';
import { KEY_PREFIX } from './wave-draws.ts';
import { effectProblems, type SentWave } from './wave-effects.ts';
import { callsOf, drawWave, type Wave } from './wave-plan.ts';
import { WaveSender } from './wave-sender.ts';

export interface DuplicatesOptions {
  /** Minimum number of requests that the programme sends. It sends waves of requests until the number is reached. */
  readonly calls: number;
  readonly accounts: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

export interface DuplicatesReport {
  readonly waves: number;
  /** Number of distinct requests. `calls` counts all their copies, but no retries of a copy. */
  readonly intents: number;
  readonly calls: number;
  /** Number of distinct requests by kind. */
  readonly kinds: ReadonlyMap<string, number>;
  /**
   * How often, in total, a copy of a request was sent again, because it got no response or one that requires
   * the client to retry later.
   */
  readonly repeated: number;
  /** Number of request ids that the programme sent again with different input. */
  readonly misused: number;
  /** Milliseconds from the launch of the server after a disturbance until it was ready, by kind of disturbance. */
  readonly ready: Timings;
  readonly problems: readonly string[];
}

/**
 * Number of requests of which one is a candidate to be sent again with different input and its old request
 * id.
 */
const MISUSE_INTERVAL = 12;
const PROBLEMS_PER_WAVE_MAX = 20;
const PRICE_PAUSE_MS = 100;

/**
 * Sends each kind of repeatable request one to five times with one request id: concurrently, late and out of order,
 * while the server is stopped, killed, and killed right before and after a commit. Each request id must have one effect
 * and one response.
 */
export async function runDuplicates(options: DuplicatesOptions): Promise<DuplicatesReport> {
  const proxied = await ProxiedServers.prepare(1);
  try {
    return await new DuplicatesRun(proxied, options).report();
  } finally {
    await proxied.close();
  }
}

class DuplicatesRun {
  private readonly proxied: ProxiedServers;
  private readonly options: DuplicatesOptions;
  private readonly random: SeededRandom;
  private readonly problems: string[] = [];
  private readonly kinds = new Map<string, number>();
  private readonly ready = new Timings();
  private readonly counts = { waves: 0, intents: 0, calls: 0, repeated: 0, misused: 0 };
  private accounts: readonly Account[] = [];
  private pacers: readonly Pacer[] = [];

  constructor(proxied: ProxiedServers, options: DuplicatesOptions) {
    this.proxied = proxied;
    this.options = options;
    this.random = seededRandom(options.seed);
  }

  async report(): Promise<DuplicatesReport> {
    const { calls, accounts, seed, say } = this.options;
    const server = this.proxied.servers[0]!;
    say(`first start ${seconds(await server.start())}`);
    this.accounts = await openAccounts([server.url], accounts, seed);
    this.pacers = this.accounts.map(() => new Pacer());
    await this.waitForTrade('btcusdt');
    while (this.counts.calls < calls) {
      const startMs = performance.now();
      await this.runWave();
      const { waves, intents, repeated } = this.counts;
      const sum = `${intents} intents, sent ${this.counts.calls} times, repeated ${repeated} times`;
      say(
        `wave ${waves} in ${seconds(performance.now() - startMs)}: ${sum}, ${this.problems.length} problems`,
      );
    }
    const checked = await checkStored(this.proxied.database.connection, [], { isFinal: true });
    const problems = [...this.problems, ...checked.problems];
    return { ...this.counts, kinds: this.kinds, ready: this.ready, problems };
  }

  private async runWave(): Promise<void> {
    const claimKeys = this.accounts.map(({ claimKey }) => claimKey);
    const prices = { btc: await this.priceOf('btcusdt'), eth: await this.priceOf('ethusdt') };
    const wave = drawWave(this.random, { wave: this.counts.waves, claimKeys, prices });
    const sender = new WaveSender(wave, this.accounts, this.pacers);
    try {
      await Promise.all([sender.send(), this.disturbDuring(wave, sender)]);
    } finally {
      sender.abandon();
    }
    const { requests } = wave;
    const problems = [...sender.problems, ...answerProblems(requests, sender.answers)];
    problems.push(...(await this.misuse(wave, sender)));
    const results: SentWave = { requests: requests, answers: sender.answers, accounts: this.accounts };
    problems.push(...(await this.withDatabase((client) => effectProblems(client, results))));
    problems.push(...(await this.cancelOpenOrders()));
    this.problems.push(...problems.slice(0, PROBLEMS_PER_WAVE_MAX));
    this.count(wave, sender);
  }

  private async disturbDuring({ disturbances }: Wave, sender: WaveSender): Promise<void> {
    const [server, proxy] = [this.proxied.servers[0]!, this.proxied.proxies[0]!];
    for (const { kind, afterShare } of disturbances) {
      await sender.waitForShare(afterShare);
      this.ready.add(kind, await disturb(kind, { server, proxy, word: KEY_PREFIX }));
      for (const pacer of this.pacers) pacer.reset();
    }
  }

  /** Sends some requests again with their old request id and different input. The server must refuse them. */
  private async misuse({ requests }: Wave, { answers, idOf }: WaveSender): Promise<string[]> {
    const selected = requests.filter(
      (intent, index) =>
        index % MISUSE_INTERVAL === 0 && intent.other !== undefined && isAccepted(intent, answers),
    );
    this.counts.misused += selected.length;
    const problems = selected.map(async (intent) => {
      const misused: IntendedRequest = { ...intent, fields: intent.other! };
      const { charge } = REPEATABLE_CALLS[intent.kind];
      const id = intent.target === undefined ? undefined : await idOf(intent.target);
      await this.pacers[intent.owner]!.waitForTurn(charge.limit);
      const endpoint = REPEATABLE_CALLS[intent.kind];
      const { errKey, text } = await this.accounts[intent.owner]!.requestWithRetries(
        endpoint,
        fieldsToSend(misused, id),
      );
      return errKey === 'l.duplicate_key' ? [] : [`${intent.key} with another input was answered ${text}`];
    });
    return (await Promise.all(problems)).flat();
  }

  /**
   * Cancels all open orders of all users. Returns a problem for each user for whom more orders were cancelled than the
   * database listed as open before, or for whom an order is still open in the database afterwards.
   */
  private async cancelOpenOrders(): Promise<string[]> {
    const { connection } = this.proxied.database;
    const countsBefore = await openCounts(connection);
    const problems = this.accounts.map(async (account, owner) => {
      await this.pacers[owner]!.waitForTurn(cancelAllOrders.charge.limit);
      const { count } = await account.request(cancelAllOrders, { clientId: `leave:${this.counts.waves}` });
      const stored = countsBefore.get(account.id) ?? 0;
      // Fewer cancelled than stored orders are permitted, because the demo's market maker may fill an order before it
      // is cancelled.
      return count <= stored ? [] : [`${account.id}: ${count} orders cancelled, ${stored} were stored`];
    });
    const problemsFound = (await Promise.all(problems)).flat();
    const remaining = await openCounts(connection);
    return [
      ...problemsFound,
      ...this.accounts.flatMap(({ id }) => (remaining.has(id) ? [`${id}: orders are left`] : [])),
    ];
  }

  private count(wave: Wave, { repeated, answered }: WaveSender): void {
    const { counts } = this;
    if (answered !== callsOf(wave)) this.problems.push(`${callsOf(wave)} calls, ${answered} answers`);
    counts.waves += 1;
    counts.intents += wave.requests.length;
    counts.calls += answered;
    counts.repeated += repeated;
    for (const { kind } of wave.requests) this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
  }

  /**
   * Waits until the pair has a last price, which stop orders need. The demo makes its first trade after the ports open.
   */
  private async waitForTrade(symbol: string): Promise<void> {
    await this.withDatabase(async (client) => {
      for (;;) {
        const { rowCount } = await client.query('select from spot_last_price where symbol = $1', [symbol]);
        if (rowCount === 1) return;
        await sleep(PRICE_PAUSE_MS);
      }
    });
  }

  /**
   * Returns the price of the best bid of the pair, or of the best ask if there are no bids. Waits while the
   * book is empty, because a server that has just started may have no orders.
   */
  private async priceOf(symbol: string): Promise<number> {
    for (;;) {
      const price = await bestPrice(this.proxied.servers[0]!.url, symbol);
      if (price !== undefined) return price;
      await sleep(PRICE_PAUSE_MS);
    }
  }

  private async withDatabase<T>(query: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client(clientOptions(this.proxied.database.connection, 'reliability checks'));
    await client.connect();
    try {
      return await query(client);
    } finally {
      await client.end();
    }
  }
}
