import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { clientOptions, type DatabaseConnection } from '../../src/platform/database/pool.ts';
import type { CheckReport } from './checks.ts';
import { seconds, Timings } from './figures.ts';
import { ProxiedServers } from './proxied-servers.ts';
import { replayProblems } from './replay-check.ts';
import { TradingFloor, type FloorOptions } from './trading-floor.ts';

export interface WritersOptions extends FloorOptions {
  readonly rounds: number;
  /**
   * Index in `LOSSES` of the kind of loss that the first round uses. Each later round uses the next kind of the list.
   */
  readonly firstLoss?: number;
  readonly say: (line: string) => void;
}

export interface WritersReport {
  /** Milliseconds from the writer's loss until the standby had detected the loss and was ready. */
  readonly ready: Timings;
  /**
   * Milliseconds from the writer's loss until callers received responses again, including the time until their request
   * to the lost writer timed out.
   */
  readonly takeover: Timings;
  /**
   * Milliseconds until the old writer's process had exited: from the end of its suspension, or for a lost connection
   * from half a second after the takeover.
   */
  readonly ended: Timings;
  readonly last: CheckReport;
  readonly problems: readonly string[];
}

/** Ways in which a server loses the writer role. Only the last one kills its process. */
export const LOSSES = ['process frozen', 'line to the database dead', 'process killed'] as const;
type Loss = (typeof LOSSES)[number];

/**
 * Timeout in milliseconds for the exit of the old writer's process on a busy machine. The programme reports the actual
 * time.
 */
const END_TIMEOUT_MS = 90_000;
/** Milliseconds for which the standby follows the trading before the writer is disturbed. */
const FOLLOWED_MS = 1_200;
const AFTER_TAKEOVER_MS = 500;

/**
 * Runs two servers on one database under load: a writer, and a standby that follows the writer's state. The writer is
 * suspended, loses its database connection, or is killed, and the standby takes over with the followed state. When the
 * old writer can continue, it must write nothing and exit. At the end a replay of the journal must result in the stored
 * state.
 */
export async function runWriters(options: WritersOptions): Promise<WritersReport> {
  const proxied = await ProxiedServers.prepare(2);
  try {
    return await new WritersRun(proxied, options).report();
  } finally {
    await proxied.close();
  }
}

class WritersRun {
  private readonly proxied: ProxiedServers;
  private readonly options: WritersOptions;
  private readonly ready = new Timings();
  private readonly takeover = new Timings();
  private readonly ended = new Timings();
  private readonly problems: string[] = [];
  /** Index of the server that is the writer now. The other server is the standby. */
  private writer: 0 | 1 = 0;

  constructor(proxied: ProxiedServers, options: WritersOptions) {
    this.proxied = proxied;
    this.options = options;
  }

  async report(): Promise<WritersReport> {
    const { servers, database } = this.proxied;
    const { rounds, firstLoss = 0, say } = this.options;
    say(`first start ${seconds(await servers[0]!.start())}`);
    const urls = servers.map(({ url }) => url);
    const floor = await TradingFloor.open(urls, () => database.connection, this.options);
    try {
      for (let round = 1; round <= rounds; round += 1) {
        const loss = LOSSES[(firstLoss + round - 1) % LOSSES.length]!;
        await this.replaceWriter(loss, floor);
        const { acknowledged } = await floor.check(`round ${round}, ${loss}`);
        say(`${round} ${loss}: ${acknowledged} answers kept`);
      }
      const last = await floor.close();
      const { exitCode } = await servers[this.writer]!.stop();
      if (exitCode !== 0) this.problems.push(`the last writer ended with ${exitCode}`);
      const { dataDirectory } = servers[this.writer]!;
      const replayed = await replayProblems(database.connection, dataDirectory);
      const problems = [...this.problems, ...floor.problems, ...replayed];
      return { ready: this.ready, takeover: this.takeover, ended: this.ended, last, problems };
    } finally {
      floor.abandon();
    }
  }

  private async replaceWriter(loss: Loss, floor: TradingFloor): Promise<void> {
    const { servers, proxies, database } = this.proxied;
    const [oldWriter, oldProxy] = [servers[this.writer]!, proxies[this.writer]!];
    const standby = servers[1 - this.writer]!;
    standby.launch();
    await standby.waitForLog('"sequencer.standby_loaded"');
    await sleep(FOLLOWED_MS);
    if (await standby.isUp()) this.problems.push('a standby was ready beside the writer');
    const lostMs = performance.now();
    if (loss === 'process frozen') oldWriter.signal('SIGSTOP');
    else if (loss === 'process killed') await oldWriter.killServer();
    else oldProxy.silenceAll();
    await standby.waitUntilReady();
    if (!standby.hasLogged('"sequencer.standby_warm"'))
      this.problems.push(`the standby took over without the state that it had followed, ${loss}`);
    this.ready.add(loss, performance.now() - lostMs);
    await floor.waitForAnswer();
    this.takeover.add(loss, performance.now() - lostMs);
    const epoch = await epochOf(database.connection);
    await sleep(AFTER_TAKEOVER_MS);
    const resumedMs = performance.now();
    if (loss === 'process frozen') oldWriter.signal('SIGCONT');
    if (loss !== 'process killed') {
      await oldWriter
        .waitForExit(END_TIMEOUT_MS)
        .catch((cause: unknown) => void this.problems.push(String(cause)));
      this.ended.add(loss, performance.now() - resumedMs);
    }
    const epochAfter = await epochOf(database.connection);
    if (epochAfter !== epoch)
      this.problems.push(`epoch ${epoch} became ${epochAfter}: the old writer took over`);
    if (!oldWriter.hasEnded) await oldWriter.killServer();
    this.writer = this.writer === 0 ? 1 : 0;
  }
}

async function epochOf(connection: DatabaseConnection): Promise<bigint> {
  const rows = await query<{ epoch: bigint }>(connection, 'select epoch from writer');
  return rows[0]!.epoch;
}

async function query<Row extends pg.QueryResultRow>(
  connection: DatabaseConnection,
  sql: string,
): Promise<Row[]> {
  const client = new pg.Client(clientOptions(connection, 'operator'));
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}
