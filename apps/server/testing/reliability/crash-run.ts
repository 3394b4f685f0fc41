import { setTimeout as sleep } from 'node:timers/promises';
import { marketDepth } from '@exchange/wire/market.ts';
import { callOver } from '../calling.ts';
import { seededRandom, type SeededRandom } from '../seeded-random.ts';
import { checkStored, heardSoFar, openCounts, type CrashChecked } from './crash-checks.ts';
import { CrashTrader } from './crash-trader.ts';
import { ServerProcess } from './server-process.ts';

export const VICTIMS = ['server', 'database', 'both'] as const;
export type Victim = (typeof VICTIMS)[number];

export interface CrashOptions {
  /** How many times something is killed; the victims take turns. */
  readonly kills: number;
  readonly traders: number;
  readonly seed: number;
  /** The average pause of a trader between two requests. */
  readonly paceMs: number;
  readonly say: (line: string) => void;
}

export interface CrashReport {
  readonly firstStartMs: number;
  readonly kills: readonly {
    readonly victim: Victim;
    readonly readyMs: number;
    readonly acknowledged: number;
  }[];
  readonly stopMs: number;
  /** The same right after the database was killed. */
  readonly bereftStopMs: number;
  readonly secondStartMs: number;
  readonly retries: number;
  /** As checked at the end. */
  readonly last: CrashChecked;
  /** Every broken promise, of any check; empty when all were kept. */
  readonly problems: readonly string[];
}

const LAST_ANSWERS_MS = 20_000;
const PRICE_EVERY_MS = 500;
const BEFORE_STOP_MS = 500;
const ARRIVING_AT_ONCE = 5;

/**
 * Runs the built server under trading users and kills it, its database or both again and again, without
 * warning. After each time, and once more after an orderly stop, it compares all that was acknowledged with
 * what is stored. Nothing of it is left on the machine.
 */
export async function runCrashes(options: CrashOptions): Promise<CrashReport> {
  const server = await ServerProcess.prepare();
  try {
    return await new CrashRun(server, options).report();
  } finally {
    await server.close();
  }
}

class CrashRun {
  private readonly server: ServerProcess;
  private readonly options: CrashOptions;
  private readonly random: SeededRandom;
  private readonly problems: string[] = [];
  private traders: CrashTrader[] = [];
  private trading: Promise<void>[] = [];
  private price = 0;
  private priceTimer: NodeJS.Timeout | undefined;

  constructor(server: ServerProcess, options: CrashOptions) {
    this.server = server;
    this.options = options;
    this.random = seededRandom(options.seed);
  }

  async report(): Promise<CrashReport> {
    const { kills: wanted, say } = this.options;
    const firstStartMs = await this.server.start();
    say(`first start ${firstStartMs.toFixed(0)} ms`);
    await this.begin();
    try {
      const kills: CrashReport['kills'][number][] = [];
      for (let number = 0; number < wanted; number += 1) {
        const victim = VICTIMS[number % VICTIMS.length]!;
        const readyMs = await this.killAndWait(victim);
        const { acknowledged } = await this.check(`kill ${number + 1}`);
        kills.push({ victim, readyMs, acknowledged });
        say(
          `kill ${number + 1} (${victim}): ready in ${readyMs.toFixed(0)} ms, ${acknowledged} answers kept`,
        );
      }
      const stops = await this.stopAndStart();
      say(`stopped in ${stops.stopMs.toFixed(0)} ms, started again in ${stops.secondStartMs.toFixed(0)} ms`);
      say(`stopped without its database in ${stops.bereftStopMs.toFixed(0)} ms`);
      const last = await this.end();
      const retries = this.traders.reduce((sum, trader) => sum + trader.retries, 0);
      return { firstStartMs, kills, ...stops, retries, last, problems: this.problems };
    } finally {
      clearInterval(this.priceTimer);
      for (const trader of this.traders) trader.stop();
    }
  }

  private async begin(): Promise<void> {
    const { traders, seed, paceMs } = this.options;
    await this.readPrice();
    this.priceTimer = setInterval(() => void this.readPrice(), PRICE_EVERY_MS);
    while (this.traders.length < traders) {
      const size = Math.min(ARRIVING_AT_ONCE, traders - this.traders.length);
      const arriving = Array.from({ length: size }, (_, n) =>
        CrashTrader.arrive(this.server.url, seed * 1_000 + this.traders.length + n, paceMs),
      );
      this.traders.push(...(await Promise.all(arriving)));
    }
    this.trading = this.traders.map((trader) =>
      trader.trade(() => this.price).catch((cause: unknown) => void this.problems.push(String(cause))),
    );
  }

  private async killAndWait(victim: Victim): Promise<number> {
    await sleep(this.random.whole(100, 3_000));
    const killedMs = performance.now();
    if (victim === 'database') {
      await this.server.recoveredFrom(this.server.killDatabase());
      return performance.now() - killedMs;
    }
    const isDatabaseFirst = this.random.chance(0.5);
    if (victim === 'both' && isDatabaseFirst) this.server.killDatabase();
    await this.server.killServer();
    if (victim === 'both' && !isDatabaseFirst) this.server.killDatabase();
    return this.server.start();
  }

  /** An orderly stop under load, and another one of a server whose database has just died. */
  private async stopAndStart(): Promise<{ stopMs: number; secondStartMs: number; bereftStopMs: number }> {
    const stopMs = await this.stopInOrder('orderly stop');
    const secondStartMs = await this.server.start();
    await this.check('orderly stop');
    await sleep(BEFORE_STOP_MS);
    this.server.killDatabase();
    const bereftStopMs = await this.stopInOrder('stop without database');
    await this.server.start();
    await this.check('stop without database');
    return { stopMs, secondStartMs, bereftStopMs };
  }

  private async stopInOrder(which: string): Promise<number> {
    const { ms, exitCode } = await this.server.stop();
    if (exitCode !== 0) this.problems.push(`${which} ended with ${exitCode}`);
    return ms;
  }

  /** Lets everybody finish, and lets them cancel what they know to be open: memory must know the same orders. */
  private async end(): Promise<CrashChecked> {
    for (const trader of this.traders) trader.stop();
    const isAnswered = await Promise.race([
      Promise.all(this.trading).then(() => true),
      sleep(LAST_ANSWERS_MS, false, { ref: false }),
    ]);
    if (!isAnswered) this.problems.push(`after ${LAST_ANSWERS_MS} ms somebody still waited for an answer`);
    for (const trader of this.traders) {
      const stored = (await openCounts(this.server.connection)).get(trader.id) ?? 0;
      const cancelled = await trader.leave();
      // The house may trade with an order between the two.
      if (cancelled > stored) this.problems.push(`${cancelled} orders cancelled, ${stored} were stored`);
    }
    const left = await openCounts(this.server.connection);
    for (const { id } of this.traders)
      if (left.has(id)) this.problems.push(`${left.get(id)} stored orders are in no book`);
    return this.check('end');
  }

  private async check(when: string): Promise<CrashChecked> {
    const checked = await checkStored(this.server.connection, heardSoFar(this.traders));
    this.problems.push(...checked.problems.map((problem) => `${when}: ${problem}`));
    return checked;
  }

  private async readPrice(): Promise<void> {
    try {
      const { data } = await callOver(this.server.url, marketDepth, { symbol: 'btcusdt', size: '1' });
      this.price = data.bids[0]?.[0] ?? data.asks[0]?.[0] ?? this.price;
    } catch {
      // The server is being killed; the last price serves until it is back.
    }
  }
}
