import { randomInt } from 'node:crypto';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { guardFolder } from '../guard.ts';
import { DatabaseCluster, OWNER, SERVER, type MachineRole } from '../patroni/cluster.ts';
import type { DatabasePrograms } from '../patroni/programs.ts';
import { seededRandom } from '../seeded-random.ts';
import type { CheckReport } from './checks.ts';
import { seconds, Timings } from './figures.ts';
import { replayProblems } from './replay-check.ts';
import { registerResource, unregisterResource } from './resources.ts';
import { ServerProcess } from './server-process.ts';
import { TradingFloor, type FloorOptions } from './trading-floor.ts';

export interface FailoverOptions extends FloorOptions {
  readonly programs: DatabasePrograms;
  readonly rounds: number;
  readonly say: (line: string) => void;
}

export interface FailoverReport {
  /**
   * The longest time in milliseconds from a request until its answer, repetitions included, by the kind of the loss.
   * Requests are sent one after another, from before the loss until all machines take part again.
   */
  readonly answered: Timings;
  /** Milliseconds from the repair until all three machines take part again. */
  readonly complete: Timings;
  readonly last: CheckReport;
  readonly retries: number;
  readonly problems: readonly string[];
}

/** Milliseconds of trading before each loss. */
const UNDISTURBED_MS = 5_000;
const ASKED_EVERY_MS = 200;
/** Milliseconds after all machines take part again, within which the last request has to be answered. */
const ANSWERED_WITHIN_MS = 60_000;
/** Longer than Patroni's `ttl` of 20 s, so that a lost or suspended primary is replaced before it continues. */
const LOST_MS = 40_000;
const COMPLETE_WITHIN_MS = 120_000;
/** Milliseconds until the server is ready on a new database, whose demo data it has to create. */
const FIRST_START_MS = 300_000;

interface Loss {
  readonly name: string;
  /** Begins the loss. Resolves to a function that repairs it, or that waits until it has ended. */
  begin(cluster: DatabaseCluster): Promise<() => Promise<void>>;
}

/** All kinds of losses of a machine or a part of it, and the planned change of the primary. */
const LOSSES: readonly Loss[] = [
  { name: 'machine of the primary lost for 40 s', begin: (cluster) => machineKilled(cluster, 'leader') },
  {
    name: 'machine of the primary suspended for 40 s',
    begin: async (cluster) => {
      const machine = await cluster.machineOf('leader');
      machine.suspend();
      return async () => {
        await sleep(LOST_MS);
        machine.resume();
      };
    },
  },
  {
    name: 'PostgreSQL of the primary killed',
    begin: async (cluster) => {
      (await cluster.machineOf('leader')).killDatabase();
      return async () => undefined;
    },
  },
  {
    name: 'machine of the synchronous standby lost for 40 s',
    begin: (cluster) => machineKilled(cluster, 'sync_standby'),
  },
  { name: 'machine of the other copy lost for 40 s', begin: (cluster) => machineKilled(cluster, 'replica') },
  {
    name: 'two of three machines without etcd and Patroni for 40 s',
    begin: async (cluster) => {
      const [first, second] = [await cluster.machineOf('leader'), await cluster.machineOf('replica')];
      for (const machine of [first, second]) await machine.killManagement();
      return async () => {
        await sleep(LOST_MS);
        for (const machine of [first, second]) machine.launch();
      };
    },
  },
  {
    name: 'planned change of the primary',
    begin: async (cluster) => {
      await cluster.switchOver();
      return async () => undefined;
    },
  },
];

async function machineKilled(cluster: DatabaseCluster, role: MachineRole): Promise<() => Promise<void>> {
  const machine = await cluster.machineOf(role);
  await machine.kill();
  return async () => {
    await sleep(LOST_MS);
    machine.launch();
  };
}

/**
 * Runs a server on a database of three machines under Patroni, which lose one machine after another while traders trade.
 * No acknowledged order may be missing or doubled, all machines have to take part again after each loss without help,
 * and a replay of the journal at the end has to result in the stored state. Each kind of loss occurs once before one
 * occurs again, in an order that depends on the seed.
 */
export async function runFailover(options: FailoverOptions): Promise<FailoverReport> {
  const folder = mkdtempSync(join(tmpdir(), 'exchange-failover-'));
  chmodSync(folder, 0o755);
  const network = `127.${randomInt(1, 255)}.${randomInt(1, 255)}`;
  const cluster = await DatabaseCluster.start({
    programs: options.programs,
    folder,
    network,
    guard: guardFolder(folder, folder),
  });
  const closable = { close: () => cluster.destroy() };
  registerResource(closable);
  const server = await ServerProcess.prepare({
    databaseUrl: cluster.url(SERVER),
    databaseOwnerUrl: cluster.url(OWNER),
  });
  try {
    return await new FailoverRun(cluster, server, options).report();
  } finally {
    await server.close();
    await closable.close();
    unregisterResource(closable);
  }
}

class FailoverRun {
  private readonly cluster: DatabaseCluster;
  private readonly server: ServerProcess;
  private readonly options: FailoverOptions;
  private readonly nextLoss: () => Loss;
  private readonly answered = new Timings();
  private readonly complete = new Timings();

  constructor(cluster: DatabaseCluster, server: ServerProcess, options: FailoverOptions) {
    this.cluster = cluster;
    this.server = server;
    this.options = options;
    this.nextLoss = seededRandom(options.seed).inTurns(LOSSES);
  }

  async report(): Promise<FailoverReport> {
    const { rounds, say } = this.options;
    const startMs = performance.now();
    this.server.launch();
    await this.server.waitUntilReady(FIRST_START_MS);
    say(`ready on a new database after ${seconds(performance.now() - startMs)}`);
    const { connection } = this.cluster;
    const floor = await TradingFloor.open([this.server.url], () => connection, this.options);
    try {
      for (let round = 1; round <= rounds; round += 1) {
        const loss = this.nextLoss();
        await this.lose(loss, floor);
        const { acknowledged } = await floor.check(`round ${round}, ${loss.name}`);
        say(`${round} ${loss.name}: ${acknowledged} answers kept`);
      }
      const { retries } = floor;
      const last = await floor.close();
      await this.server.stop();
      const replayed = await replayProblems(connection, this.server.dataDirectory);
      return {
        answered: this.answered,
        complete: this.complete,
        last,
        retries,
        problems: [...floor.problems, ...replayed],
      };
    } catch (cause) {
      throw new Error([String(cause), ...this.server.output].join('\n'), { cause });
    } finally {
      floor.abandon();
    }
  }

  private async lose(loss: Loss, floor: TradingFloor): Promise<void> {
    const { name } = loss;
    const longest = new LongestWait(floor);
    // Before the loss, every trader is trading.
    await sleep(UNDISTURBED_MS);
    this.options.say(`${name} …`);
    const repair = await loss.begin(this.cluster);
    await repair();
    const repairedMs = performance.now();
    await this.cluster.waitUntilComplete(COMPLETE_WITHIN_MS);
    this.complete.add(name, performance.now() - repairedMs);
    const longestMs = await longest.end();
    if (longestMs === undefined)
      throw new Error(`${name}: no request is answered any more: ${await healthText(this.server)}`);
    this.answered.add(name, longestMs);
    this.server.requireRunning();
  }
}

/** Resolves to what the server says of itself at the operators' port. */
async function healthText({ consoleUrl }: ServerProcess): Promise<string> {
  return (await fetch(`${consoleUrl}/health`)).text();
}

/** Sends requests one after another, and measures the longest time until one is answered. */
class LongestWait {
  private longestMs = 0;
  private isEnding = false;
  private readonly asking: Promise<void>;

  constructor(floor: TradingFloor) {
    this.asking = this.ask(floor);
    // A failed request is reported by `end`; without it, e.g. after another error, it must not end this process.
    this.asking.catch(() => undefined);
  }

  /**
   * Resolves to the longest time in milliseconds, when the last request is answered; to undefined if it is not
   * answered within `ANSWERED_WITHIN_MS`.
   */
  async end(): Promise<number | undefined> {
    this.isEnding = true;
    const isAnswered = await Promise.race([
      this.asking.then(() => true),
      sleep(ANSWERED_WITHIN_MS, false, { ref: false }),
    ]);
    return isAnswered ? this.longestMs : undefined;
  }

  private async ask(floor: TradingFloor): Promise<void> {
    while (!this.isEnding) {
      const sentMs = performance.now();
      await floor.waitForAnswer();
      this.longestMs = Math.max(this.longestMs, performance.now() - sentMs);
      await sleep(ASKED_EVERY_MS);
    }
  }
}
