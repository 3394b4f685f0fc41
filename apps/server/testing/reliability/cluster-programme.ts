import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom, type SeededRandom } from '../seeded-random.ts';
import type { CheckReport } from './checks.ts';
import { ClusterProcesses, type ClusterMember, type ClusterRole } from './cluster-processes.ts';
import { DepthFollower } from './depth-follower.ts';
import { seconds, Timings } from './figures.ts';
import { replayProblems } from './replay-check.ts';
import { TradingFloor, type FloorOptions } from './trading-floor.ts';

export interface ClusterOptions extends FloorOptions {
  readonly rounds: number;
  readonly say: (line: string) => void;
}

export interface ClusterReport {
  /**
   * Milliseconds from the beginning of a disturbance until the test request is answered, by the kind of disturbance.
   * The test request cancels all orders of an account that has none.
   */
  readonly answered: Timings;
  /** Milliseconds from the end of a disturbance until the book of the feed equals that of the API again. */
  readonly equal: Timings;
  readonly last: CheckReport;
  readonly retries: number;
  readonly problems: readonly string[];
}

const SUSPENDED_MS = 8_000;
const CUT_MS = 10_000;
const NATS_DOWN_MS = 1_500;
/**
 * Milliseconds from the beginning of a disturbance until the test request is sent. The measured time until its answer
 * also counts from the beginning of the disturbance, so it includes these milliseconds.
 */
const SENT_AFTER_MS = 100;
const EQUAL_WITHIN_MS = 30_000;
/**
 * Milliseconds within which a writer or worker process must exit by itself after another process has taken over its
 * role.
 */
const ENDS_WITHIN_MS = 60_000;
const STANDBY_LOADED = '"sequencer.standby_loaded"';
const WORKER_READY = ['"worker.leads"', '"app.operators_port_open"'];

interface Disturbance {
  readonly name: string;
  readonly role?: ClusterRole;
  /**
   * True if the waiting writer or worker takes over, because the disturbed one has ended or is silent for too
   * long. If the disturbed process still runs, it must then exit by itself. Without effect for other roles.
   */
  readonly isLongSilence: boolean;
  /**
   * Disturbs the process `member`, or NATS. Resolves when the disturbance is over; a killed or stopped
   * process is not started again.
   */
  inflict(cluster: ClusterProcesses, member: ClusterMember): Promise<void>;
}

const killed = async (_cluster: ClusterProcesses, { server }: ClusterMember) => server.killServer();
const suspended = async (_cluster: ClusterProcesses, { server }: ClusterMember) =>
  server.freeze(SUSPENDED_MS);
const stopped = async (_cluster: ClusterProcesses, { server }: ClusterMember) => {
  const { exitCode } = await server.stop();
  if (exitCode !== 0) throw new Error(`a process that was told to stop ended with ${exitCode}`);
};
const cutFromNats = async (_cluster: ClusterProcesses, { natsLine }: ClusterMember) => natsLine.cut(CUT_MS);

/**
 * All kinds of disturbances: a process of each role is killed, suspended, stopped or cut off from NATS; a writer or
 * worker is cut off from the database; NATS is killed (R5 and R10 of the design).
 */
const DISTURBANCES: readonly Disturbance[] = [
  ...(['writer', 'api', 'feed', 'worker'] as const).flatMap((role): Disturbance[] => [
    { name: `${role} killed`, role, isLongSilence: true, inflict: killed },
    { name: `${role} suspended for 8 s`, role, isLongSilence: true, inflict: suspended },
    { name: `${role} stopped`, role, isLongSilence: true, inflict: stopped },
    { name: `line ${role} to NATS cut for 10 s`, role, isLongSilence: false, inflict: cutFromNats },
  ]),
  {
    name: 'line writer to database cut for 10 s',
    role: 'writer',
    isLongSilence: true,
    inflict: (_cluster, { databaseLine }) => databaseLine.pause(CUT_MS),
  },
  {
    name: 'line worker to database cut for 10 s',
    role: 'worker',
    isLongSilence: true,
    inflict: (_cluster, { databaseLine }) => databaseLine.pause(CUT_MS),
  },
  {
    name: 'NATS killed',
    isLongSilence: false,
    inflict: async ({ nats }) => {
      await nats.stop();
      await sleep(NATS_DOWN_MS);
      await nats.start();
    },
  },
];

/**
 * Maximum number of rounds of one cluster. The checks after each round compare everything that was stored, so a round
 * takes the longer the more rounds the cluster has had.
 */
const ROUNDS_PER_CLUSTER = 2 * DISTURBANCES.length;

/**
 * Runs a cluster under load through its API nodes. One after another, processes are killed, suspended, stopped or cut
 * off from NATS or the database, and NATS is killed. No acknowledged order may be missing or doubled, the book of the
 * live feed has to equal that of the API afterwards, and a replay of the journal at the end has to result in the stored
 * state. Each kind of disturbance is used once before one is used again, in an order that depends on the seed. After
 * `ROUNDS_PER_CLUSTER` rounds a new cluster takes the place of the former one.
 */
export async function runCluster(options: ClusterOptions): Promise<ClusterReport> {
  const { rounds, seed, say } = options;
  const answered = new Timings();
  const equal = new Timings();
  const reports: RunReport[] = [];
  for (let done = 0; done < rounds; done += ROUNDS_PER_CLUSTER) {
    const part = {
      ...options,
      seed: seed + reports.length,
      rounds: Math.min(ROUNDS_PER_CLUSTER, rounds - done),
    };
    const report = await runOneCluster(part, { answered, equal });
    reports.push(report);
    for (const problem of report.problems) say(problem);
    say(`${done + part.rounds} of ${rounds} rounds, replay ${report.isReplayEqual ? 'equal' : 'DIFFERENT'}`);
  }
  const sum = (figure: (report: RunReport) => number) =>
    reports.reduce((total, report) => total + figure(report), 0);
  return {
    answered,
    equal,
    last: {
      acknowledged: sum(({ last }) => last.acknowledged),
      trades: sum(({ last }) => last.trades),
      triggered: sum(({ last }) => last.triggered),
      entries: sum(({ last }) => last.entries),
      problems: reports.flatMap(({ last }) => last.problems),
    },
    retries: sum(({ retries }) => retries),
    problems: reports.flatMap(({ problems }) => problems),
  };
}

async function runOneCluster(options: ClusterOptions, timings: RunTimings): Promise<RunReport> {
  const cluster = await ClusterProcesses.prepare();
  try {
    return await new ClusterRun(cluster, options, timings).report();
  } finally {
    await cluster.close();
  }
}

type RunTimings = Pick<ClusterReport, 'answered' | 'equal'>;
type RunReport = Omit<ClusterReport, keyof RunTimings> & { readonly isReplayEqual: boolean };

class ClusterRun {
  private readonly cluster: ClusterProcesses;
  private readonly options: ClusterOptions;
  private readonly random: SeededRandom;
  private readonly nextDisturbance: () => Disturbance;
  private readonly answered: Timings;
  private readonly equal: Timings;
  private readonly problems: string[] = [];
  /** Index of the writer that leads, and of the worker that leads. The second writer and the second worker wait. */
  private readonly leads = { writer: 0, worker: 0 };

  constructor(cluster: ClusterProcesses, options: ClusterOptions, { answered, equal }: RunTimings) {
    this.answered = answered;
    this.equal = equal;
    this.cluster = cluster;
    this.options = options;
    this.random = seededRandom(options.seed);
    this.nextDisturbance = this.random.inTurns(DISTURBANCES);
  }

  async report(): Promise<RunReport> {
    const { rounds, say } = this.options;
    const startMs = performance.now();
    await this.startAll();
    say(`all processes ready after ${seconds(performance.now() - startMs)}`);
    const apiUrls = this.cluster.ofRole('api').map(({ server }) => server.url);
    const follower = new DepthFollower(this.cluster.ofRole('feed')[0]!.server.url);
    const floor = await TradingFloor.open(apiUrls, () => this.cluster.database.connection, this.options);
    try {
      for (let round = 1; round <= rounds; round += 1) {
        const disturbance = this.nextDisturbance();
        await this.disturb(disturbance, floor, follower);
        const { acknowledged } = await floor.check(`round ${round}, ${disturbance.name}`);
        say(`${round} ${disturbance.name}: ${acknowledged} answers kept`);
      }
      const { retries } = floor;
      const last = await floor.close();
      follower.close();
      for (const { server } of this.cluster.members) if (!server.hasEnded) await server.stop();
      const replayed = await replayProblems(this.cluster.database.connection, this.cluster.folder);
      const problems = [...this.problems, ...floor.problems, ...replayed];
      return {
        last,
        retries,
        problems,
        isReplayEqual: replayed.length === 0,
      };
    } finally {
      follower.close();
      floor.abandon();
    }
  }

  private async startAll(): Promise<void> {
    const [writer, standby] = this.cluster.ofRole('writer');
    await writer!.server.start();
    standby!.server.launch();
    await standby!.server.waitForLog(STANDBY_LOADED);
    for (const { server } of [...this.cluster.ofRole('api'), ...this.cluster.ofRole('feed')])
      await server.start();
    for (const { server } of this.cluster.ofRole('worker')) {
      server.launch();
      await server.waitForLog(WORKER_READY);
    }
  }

  /**
   * Returns the process of a role that a disturbance hits: the writer or the worker that leads, or a random
   * one of the nodes.
   */
  private target(role: ClusterRole): ClusterMember {
    const members = this.cluster.ofRole(role);
    return role === 'writer' || role === 'worker' ? members[this.leads[role]]! : this.random.pick(members);
  }

  private async disturb(
    disturbance: Disturbance,
    floor: TradingFloor,
    follower: DepthFollower,
  ): Promise<void> {
    const { name, role } = disturbance;
    const member = role === undefined ? this.cluster.members[0]! : this.target(role);
    const startMs = performance.now();
    const inflicted = disturbance.inflict(this.cluster, member);
    // A request that is sent when the disturbance begins is answered during the disturbance if another process can
    // serve it.
    const isAnswered = sleep(SENT_AFTER_MS)
      .then(() => floor.waitForAnswer())
      .then(() => this.answered.add(name, performance.now() - startMs));
    await inflicted.catch((cause: unknown) => void this.problems.push(`${name}: ${String(cause)}`));
    const endMs = performance.now();
    await isAnswered;
    if (role !== undefined) await this.restore(role, member, disturbance);
    const [api] = this.cluster.ofRole('api');
    if (await follower.equals(api!.server.url, EQUAL_WITHIN_MS))
      this.equal.add(name, performance.now() - endMs);
    else this.problems.push(`${name}: the book of the feed did not equal that of the API within 30 s`);
  }

  /**
   * Starts a disturbed node again if it has ended, and waits until it is ready. A writer or worker that was silent for
   * so long that the other one took over has to end by itself (otherwise that is a problem, and it is killed); it is
   * then started again and waits. A writer or worker that was silent for a shorter time goes on by itself.
   */
  private async restore(
    role: ClusterRole,
    { server }: ClusterMember,
    { name, isLongSilence }: Disturbance,
  ): Promise<void> {
    if (role === 'api' || role === 'feed') {
      if (server.hasEnded) server.launch();
      await server.waitUntilReady();
      return;
    }
    if (!isLongSilence) return;
    const { server: other } = this.cluster.ofRole(role)[1 - this.leads[role]]!;
    if (role === 'writer') await other.waitUntilReady();
    else await other.waitForLog('"worker.leads"');
    if (!server.hasEnded)
      await server
        .waitForExit(ENDS_WITHIN_MS)
        .catch((cause: unknown) => void this.problems.push(`${name}: it does not end: ${String(cause)}`));
    if (!server.hasEnded) await server.killServer();
    this.leads[role] = 1 - this.leads[role];
    server.launch();
    await server.waitForLog(role === 'writer' ? STANDBY_LOADED : WORKER_READY);
  }
}
