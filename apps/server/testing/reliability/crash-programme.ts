import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom, type SeededRandom } from '../seeded-random.ts';
import type { CheckReport } from './checks.ts';
import { seconds, Timings } from './figures.ts';
import { ServerProcess } from './server-process.ts';
import { TradingFloor, type FloorOptions } from './trading-floor.ts';

export const VICTIMS = ['server', 'database', 'both'] as const;
export type Victim = (typeof VICTIMS)[number] | 'server frozen';

export interface CrashOptions extends FloorOptions {
  /** Number of kills. Of every four kills, two kill the server, one its database, and one both. */
  readonly kills: number;
  /** Number of times that the server is suspended by SIGSTOP. */
  readonly freezes: number;
  readonly freezeMs: number;
  readonly say: (line: string) => void;
}

export interface CrashReport {
  readonly firstStartMs: number;
  readonly ready: Timings;
  readonly stopMs: number;
  /** Milliseconds that a normal shutdown of the server took while its database was already killed. */
  readonly bereftStopMs: number;
  readonly secondStartMs: number;
  readonly retries: number;
  /** Result of the comparison with the acknowledged results and of the audit at the end of the programme. */
  readonly last: CheckReport;
  readonly problems: readonly string[];
}

const VICTIM_CYCLE: readonly Victim[] = ['server', 'database', 'server', 'both'];
const BEFORE_STOP_MS = 500;
const BETWEEN_MS = { least: 100, most: 3_000 } as const;

/**
 * Runs the built server with trading users and repeatedly kills the server, its database or both without
 * warning. After each kill, suspension and stop it compares all acknowledged requests with the stored data.
 * At the end no processes or files of the server remain on the machine.
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
  private readonly ready = new Timings();
  private readonly problems: string[] = [];

  constructor(server: ServerProcess, options: CrashOptions) {
    this.server = server;
    this.options = options;
    this.random = seededRandom(options.seed);
  }

  async report(): Promise<CrashReport> {
    const { say } = this.options;
    const firstStartMs = await this.server.start();
    say(`first start ${seconds(firstStartMs)}`);
    const floor = await TradingFloor.open([this.server.url], () => this.server.connection, this.options);
    try {
      for (const [index, victim] of this.victims().entries()) {
        const readyMs = await this.disturb(victim, floor);
        this.ready.add(victim, readyMs);
        const { acknowledged, triggered } = await floor.check(`${victim} ${index + 1}`);
        say(
          `${index + 1} (${victim}): ready in ${seconds(readyMs)}, ${acknowledged} answers kept, ${triggered} stops executed`,
        );
      }
      const stops = await this.stopAndStart(floor);
      const last = await floor.close();
      const problems = [...this.problems, ...floor.problems];
      return { firstStartMs, ready: this.ready, ...stops, retries: floor.retries, last, problems };
    } finally {
      floor.abandon();
    }
  }

  /**
   * Returns what each disturbance hits, in order: the server, its database or both are killed in a fixed cycle, and
   * suspensions of the server are spread evenly among the kills.
   */
  private victims(): Victim[] {
    const { kills, freezes } = this.options;
    const victims: Victim[] = Array.from(
      { length: kills },
      (_, index) => VICTIM_CYCLE[index % VICTIM_CYCLE.length]!,
    );
    const every = Math.ceil(victims.length / Math.max(1, freezes));
    for (let index = freezes; index > 0; index -= 1) victims.splice(index * every, 0, 'server frozen');
    return victims;
  }

  private async disturb(victim: Victim, floor: TradingFloor): Promise<number> {
    const sinceMs = await this.strike(victim);
    await this.server.waitUntilReady();
    await floor.waitForAnswer();
    return performance.now() - sinceMs;
  }

  /**
   * Kills or suspends the victim after a random time, and starts the server again if it was killed. Returns the time
   * (of `performance.now`) from which its recovery is measured: that of the kill, or the end of the suspension.
   */
  private async strike(victim: Victim): Promise<number> {
    await sleep(this.random.whole(BETWEEN_MS.least, BETWEEN_MS.most));
    if (victim === 'server frozen') {
      await this.server.freeze(this.options.freezeMs);
      return performance.now();
    }
    const killedMs = performance.now();
    if (victim === 'database') {
      await this.server.waitForRecovery(this.server.killDatabase());
      return killedMs;
    }
    const isDatabaseFirst = this.random.chance(0.5);
    if (victim === 'both' && isDatabaseFirst) this.server.killDatabase();
    await this.server.killServer();
    if (victim === 'both' && !isDatabaseFirst) this.server.killDatabase();
    await this.server.start();
    return killedMs;
  }

  /**
   * Stops the server under load with a normal shutdown and starts it; then kills its database, stops the server without
   * it, and starts it again. Checks the data after each start.
   */
  private async stopAndStart(floor: TradingFloor) {
    const { say } = this.options;
    const stopMs = await this.stopInOrder('orderly stop');
    const secondStartMs = await this.server.start();
    say(`stopped in ${seconds(stopMs)}, started again in ${seconds(secondStartMs)}`);
    await floor.check('orderly stop');
    await sleep(BEFORE_STOP_MS);
    this.server.killDatabase();
    const bereftStopMs = await this.stopInOrder('stop without database');
    say(`stopped without its database in ${seconds(bereftStopMs)}`);
    await this.server.start();
    await floor.check('stop without database');
    return { stopMs, secondStartMs, bereftStopMs };
  }

  private async stopInOrder(label: string): Promise<number> {
    const { ms, exitCode } = await this.server.stop();
    if (exitCode !== 0) this.problems.push(`${label} ended with ${exitCode}`);
    return ms;
  }
}
