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
import { fieldsToSend, REPEATABLE_CALLS, type Intent } from './repeatable-calls.ts';
import { answerProblems, isAccepted } from './wave-answers.ts';
import { KEY_PREFIX } from './wave-draws.ts';
import { effectProblems } from './wave-effects.ts';
import { callsOf, drawWave, type Wave } from './wave-plan.ts';
import { WaveSender } from './wave-sender.ts';

export interface DuplicatesOptions {
  /** Waves are sent until so many calls were. */
  readonly calls: number;
  readonly accounts: number;
  readonly seed: number;
  readonly say: (line: string) => void;
}

export interface DuplicatesReport {
  readonly waves: number;
  /** What was meant, and how often it was sent in all. */
  readonly intents: number;
  readonly calls: number;
  /** Intents by their kind. */
  readonly kinds: ReadonlyMap<string, number>;
  /** Requests that got no answer, or the one to come later, and were made again. */
  readonly repeated: number;
  /** Request ids that were used again with another input. */
  readonly misused: number;
  /** How long the server took to be ready again, by what was done to it. */
  readonly ready: Timings;
  readonly problems: readonly string[];
}

/** One of so many request ids is tried with another input. */
const MISUSED_EVERY = 12;
const PROBLEMS_OF_WAVE = 20;
const PRICE_PAUSE_MS = 100;

/**
 * Sends every kind of call one to five times under one request id: together, late and out of order, while the
 * server is stopped, killed, and killed right before and after a commit. Each has one effect and one answer.
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
      const beganMs = performance.now();
      await this.runWave();
      const { waves, intents, repeated } = this.counts;
      const sum = `${intents} intents, sent ${this.counts.calls} times, repeated ${repeated} times`;
      say(
        `wave ${waves} in ${seconds(performance.now() - beganMs)}: ${sum}, ${this.problems.length} problems`,
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
    const { intents } = wave;
    const found = [...sender.problems, ...answerProblems(intents, sender.answers)];
    found.push(...(await this.misuse(wave, sender)));
    const sent = { intents, answers: sender.answers, accounts: this.accounts };
    found.push(...(await this.withDatabase((client) => effectProblems(client, sent))));
    found.push(...(await this.leave()));
    this.problems.push(...found.slice(0, PROBLEMS_OF_WAVE));
    this.count(wave, sender);
  }

  private async disturbDuring({ disturbances }: Wave, sender: WaveSender): Promise<void> {
    const [server, proxy] = [this.proxied.servers[0]!, this.proxied.proxies[0]!];
    for (const { kind, afterShare } of disturbances) {
      await sender.reached(afterShare);
      this.ready.add(kind, await disturb(kind, { server, proxy, word: KEY_PREFIX }));
      for (const pacer of this.pacers) pacer.forget();
    }
  }

  /** Uses some request ids again with another input, which is refused. */
  private async misuse({ intents }: Wave, { answers, idOf }: WaveSender): Promise<string[]> {
    const chosen = intents.filter(
      (intent, index) =>
        index % MISUSED_EVERY === 0 && intent.other !== undefined && isAccepted(intent, answers),
    );
    this.counts.misused += chosen.length;
    const problems = chosen.map(async (intent) => {
      const misused: Intent = { ...intent, fields: intent.other! };
      const { charge } = REPEATABLE_CALLS[intent.kind];
      const id = intent.target === undefined ? undefined : await idOf(intent.target);
      await this.pacers[intent.owner]!.turn(charge.limit);
      const endpoint = REPEATABLE_CALLS[intent.kind];
      const { errKey, text } = await this.accounts[intent.owner]!.insist(endpoint, fieldsToSend(misused, id));
      return errKey === 'l.duplicate_key' ? [] : [`${intent.key} with another input was answered ${text}`];
    });
    return (await Promise.all(problems)).flat();
  }

  /** Everybody cancels what the wave has left open: memory has to know exactly the stored orders. */
  private async leave(): Promise<string[]> {
    const { connection } = this.proxied.database;
    const before = await openCounts(connection);
    const problems = this.accounts.map(async (account, owner) => {
      await this.pacers[owner]!.turn(cancelAllOrders.charge.limit);
      const { count } = await account.ask(cancelAllOrders, { clientId: `leave:${this.counts.waves}` });
      const stored = before.get(account.id) ?? 0;
      // The house may trade with an order between the two.
      return count <= stored ? [] : [`${account.id}: ${count} orders cancelled, ${stored} were stored`];
    });
    const found = (await Promise.all(problems)).flat();
    const left = await openCounts(connection);
    return [...found, ...this.accounts.flatMap(({ id }) => (left.has(id) ? [`${id}: orders are left`] : []))];
  }

  private count(wave: Wave, { repeated, answered }: WaveSender): void {
    const { counts } = this;
    if (answered !== callsOf(wave)) this.problems.push(`${callsOf(wave)} calls, ${answered} answers`);
    counts.waves += 1;
    counts.intents += wave.intents.length;
    counts.calls += answered;
    counts.repeated += repeated;
    for (const { kind } of wave.intents) this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
  }

  /** Stops need a last price: the demo's takers make the first trade some time after the ports are open. */
  private async waitForTrade(symbol: string): Promise<void> {
    await this.withDatabase(async (client) => {
      for (;;) {
        const { rowCount } = await client.query('select from spot_last_price where symbol = $1', [symbol]);
        if (rowCount === 1) return;
        await sleep(PRICE_PAUSE_MS);
      }
    });
  }

  /** A server that has just been started may have no price yet. */
  private async priceOf(symbol: string): Promise<number> {
    for (;;) {
      const price = await bestPrice(this.proxied.servers[0]!.url, symbol);
      if (price !== undefined) return price;
      await sleep(PRICE_PAUSE_MS);
    }
  }

  private async withDatabase<T>(look: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client(clientOptions(this.proxied.database.connection, 'reliability checks'));
    await client.connect();
    try {
      return await look(client);
    } finally {
      await client.end();
    }
  }
}
