import { runBank } from './bank-programme.ts';
import { runBusyStart } from './busy-start-programme.ts';
import type { CheckReport } from './checks.ts';
import { runCluster } from './cluster-programme.ts';
import { runCrashes } from './crash-programme.ts';
import { runDuplicates } from './duplicates-programme.ts';
import { runCrowds } from './crowd-programme.ts';
import { runFailover } from './failover-programme.ts';
import { runFaults } from './fault-programme.ts';
import { findDatabasePrograms } from '../patroni/programs.ts';
import { seconds, type Timings } from './figures.ts';
import { runFloods } from './floods-programme.ts';
import { runRaces } from './races-programme.ts';
import { runStreams } from './streams-programme.ts';
import { runWriters } from './writers-programme.ts';

/** Command-line options of a reliability programme. Each programme has its own defaults. */
export interface Settings {
  readonly seed: number;
  readonly say: (line: string) => void;
  readonly whole: (
    name: 'loops' | 'kills' | 'freezes' | 'rounds' | 'calls' | 'seconds' | 'traders' | 'pace',
    otherwise: number,
  ) => number;
}

/**
 * Type of the functions that run a reliability programme, print the measured figures, and return all
 * problems.
 */
type Programme = (settings: Settings) => Promise<readonly string[]>;

const FREEZE_MS = 20_000;
/** Maximum recovery time in milliseconds, as required by REL-003, REL-012, REL-013 and REL-015. */
const READY_AGAIN_MS = 10_000;
/** Maximum takeover time in milliseconds, as required by REL-014: the lease of 5 s plus loading and opening. */
const TAKEOVER_MS = 8_000;
/** Maximum 99th percentile of orders' response times in milliseconds, as required by EDGE-740. */
const CROWD_P99_MS = 100;
/** Maximum duration in milliseconds of an orderly stop of the server, as required by REL-004. */
const STOP_MS = 6_000;

/** The reliability programmes, by the name that is given with `--programme`. */
export const PROGRAMMES: Readonly<Record<string, Programme>> = {
  crash,
  faults,
  writers,
  cluster,
  failover,
  duplicates,
  races,
  bank,
  'busy-start': busyStart,
  crowd,
  floods,
  streams,
};

/**
 * `--kills=200 --freezes=20 --traders=200`: 200 traders send orders. The programme kills the server, its database or
 * both with SIGKILL 200 times, and suspends the server with SIGSTOP 20 times.
 */
async function crash({ seed, say, whole }: Settings): Promise<readonly string[]> {
  const kills = whole('kills', 24);
  const { ready, last, problems, ...times } = await runCrashes({
    kills,
    freezes: whole('freezes', Math.floor(kills / 10)),
    freezeMs: FREEZE_MS,
    traders: whole('traders', 50),
    paceMs: whole('pace', 200),
    seed,
    say,
  });
  for (const line of ready.table('killed')) say(line);
  say(`first start ${seconds(times.firstStartMs)}, start on existing data ${seconds(times.secondStartMs)}`);
  say(`orderly stop ${seconds(times.stopMs)}, right after its database died ${seconds(times.bereftStopMs)}`);
  reportKept(say, last, times.retries);
  const stopMs = Math.max(times.stopMs, times.bereftStopMs);
  const lateStop = stopMs > STOP_MS ? [`it stopped after ${seconds(stopMs)}`] : [];
  return [...problems, ...tooSlow('ready again', ready), ...lateStop];
}

/**
 * `--rounds=25 --traders=20`: in each of 25 rounds the programme injects every fault of the database connection while
 * 20 traders send orders.
 */
async function faults({ seed, say, whole }: Settings): Promise<readonly string[]> {
  const { ready, last, retries, problems } = await runFaults({
    rounds: whole('rounds', 2),
    traders: whole('traders', 20),
    paceMs: whole('pace', 150),
    seed,
    say,
  });
  for (const line of ready.table('fault')) say(line);
  reportKept(say, last, retries);
  return [...problems, ...tooSlow('ready again', ready)];
}

/**
 * `--rounds=50 --traders=20`: in each of 50 rounds the writer is suspended, disconnected or killed, and a standby takes
 * over. A suspended or disconnected writer must then exit.
 */
async function writers({ seed, say, whole }: Settings): Promise<readonly string[]> {
  const { ready, takeover, ended, last, problems } = await runWriters({
    rounds: whole('rounds', 6),
    traders: whole('traders', 20),
    paceMs: whole('pace', 150),
    seed,
    say,
  });
  for (const line of ready.table('standby takes over from')) say(line);
  for (const line of takeover.table('callers are answered after')) say(line);
  for (const line of ended.table('old writer ends after')) say(line);
  say(`${last.acknowledged} acknowledged answers, ${last.trades} trades`);
  return [
    ...problems,
    ...tooSlow('the standby took over', ready, TAKEOVER_MS),
    ...tooSlow('the old writer ended', ended),
  ];
}

/**
 * `--rounds=200 --traders=20`: a cluster with two writers, two API nodes, a feed node and two workers. In each of 200
 * rounds a process is killed, suspended, stopped or disconnected, or NATS is killed, while 20 traders send orders
 * through the API nodes.
 */
async function cluster({ seed, say, whole }: Settings): Promise<readonly string[]> {
  const { answered, equal, last, retries, problems } = await runCluster({
    rounds: whole('rounds', 19),
    traders: whole('traders', 10),
    paceMs: whole('pace', 200),
    seed,
    say,
  });
  for (const line of answered.table('an order is answered after')) say(line);
  for (const line of equal.table('the feed equals the book after')) say(line);
  reportKept(say, last, retries);
  return problems;
}

/**
 * `--rounds=21 --traders=20`: a server uses a database of three machines under Patroni. In each of 21 rounds a machine
 * or a part of it is lost, while 20 traders send orders. Without Debian's packages for it the programme does nothing.
 */
async function failover({ seed, say, whole }: Settings): Promise<readonly string[]> {
  const found = findDatabasePrograms();
  if ('missingPackages' in found) {
    say(`skipped: Debian’s packages ${found.missingPackages.join(', ')} are not installed`);
    return [];
  }
  const { answered, complete, last, retries, problems } = await runFailover({
    programs: found.programs,
    rounds: whole('rounds', 7),
    traders: whole('traders', 10),
    paceMs: whole('pace', 200),
    seed,
    say,
  });
  for (const line of answered.table('the longest wait for an answer')) say(line);
  for (const line of complete.table('all machines take part again after')) say(line);
  reportKept(say, last, retries);
  return problems;
}

/**
 * `--calls=500000 --traders=100`: 100 users send each kind of repeatable request. Each request is sent one to five
 * times, in any order, across restarts and kills.
 */
async function duplicates({ seed, say, whole }: Settings): Promise<readonly string[]> {
  const { problems, kinds, ready, ...counts } = await runDuplicates({
    calls: whole('calls', 10_000),
    accounts: whole('traders', 56),
    seed,
    say,
  });
  for (const [kind, times] of kinds) say(`${times} ${kind}`);
  for (const line of ready.table('server')) say(line);
  say(`${counts.intents} intents in ${counts.waves} waves, sent ${counts.calls} times`);
  say(`${counts.repeated} requests repeated, ${counts.misused} request ids misused`);
  return problems;
}

/**
 * `--rounds=100 --traders=20`: in each of 100 rounds each of 20 users sends 40 commands at the same time; all users
 * send concurrently.
 */
async function races({ seed, say, whole }: Settings): Promise<readonly string[]> {
  const { problems, ...counts } = await runRaces({
    rounds: whole('rounds', 10),
    clients: whole('traders', 20),
    parallel: 40,
    seed,
    say,
  });
  say(`${counts.commands} commands, ${counts.cancelled} cancelled, ${counts.late} too late`);
  return problems;
}

/** `--loops=8`: starts a new demo on one processor core that it shares with eight endless loops. */
async function busyStart({ say, whole }: Settings): Promise<readonly string[]> {
  const { problems, openMs, completeMs } = await runBusyStart({ loops: whole('loops', 8), say });
  say(`open after ${seconds(openMs)}, demo data complete after ${seconds(completeMs)}`);
  return problems;
}

/**
 * `--seconds=3600 --traders=50`: 50 users send random commands for 3,600 seconds. Each user computes the expected
 * balances.
 */
async function bank({ seed, say, whole }: Settings): Promise<readonly string[]> {
  const { problems, answers, fills, triggered, sums } = await runBank({
    clients: whole('traders', 50),
    forMs: whole('seconds', 60) * 1_000,
    paceMs: whole('pace', 250),
    seed,
    say,
  });
  for (const [answer, times] of [...answers].toSorted(([, a], [, b]) => b - a)) say(`${times} ${answer}`);
  say(`${fills} fills, ${triggered} stops executed, all accounts summed ${sums} times`);
  return problems;
}

/**
 * `--calls=500 --seconds=10`: applies each kind of load for 10 seconds over 500 connections from one network address,
 * and measures the response times of another trader's orders.
 */
async function crowd({ seed, say, whole }: Settings): Promise<readonly string[]> {
  say(
    '| load | orders | failed | p50 ms | p99 ms | most ms | operators at most ms | complaints | seconds missing |',
  );
  say('| --- | --- | --- | --- | --- | --- | --- | --- | --- |');
  const figures = await runCrowds({
    connections: whole('calls', 500),
    forMs: whole('seconds', 10) * 1_000,
    seed,
    say,
  });
  return figures.flatMap(({ kind, p99Ms, failed, complaints, missing }) => [
    ...(p99Ms > CROWD_P99_MS ? [`an order took ${p99Ms.toFixed(0)} ms at p99 beside ${kind}`] : []),
    ...(failed > 0 ? [`${failed} orders failed beside ${kind}`] : []),
    ...(missing > 0 ? [`${missing} seconds are missing on the tape beside ${kind}`] : []),
    ...complaints.map((line) => `beside ${kind}: ${line}`),
  ]);
}

/**
 * `--seconds=300`: sends each kind of flood of requests for 300 seconds. The index tape must have a line for every
 * second, and no position may become void.
 */
async function floods({ say, whole }: Settings): Promise<readonly string[]> {
  const { problems, kinds, requests, settled, voids } = await runFloods({
    forMs: whole('seconds', 300) * 1_000,
    say,
  });
  say(`${kinds} kinds of flood, ${requests} requests, ${settled} positions settled, ${voids} void`);
  return problems;
}

/**
 * `--calls=2000 --seconds=3600`: reads ten streams on each of `calls` connections, of which one in twenty reads
 * nothing.
 */
async function streams({ say, whole }: Settings): Promise<readonly string[]> {
  const sockets = whole('calls', 2_000);
  const slowSockets = Math.floor(sockets / 40) * 2;
  const { problems, opened, events, compared, slowEnded, firstMib, mostMib } = await runStreams({
    sockets,
    slowSockets,
    forMs: whole('seconds', 300) * 1_000,
    say,
  });
  say(`${opened} connections, ${events} events, ${compared} books compared with snapshots`);
  say(`${slowEnded} of ${slowSockets} connections that read nothing were ended`);
  say(`server's memory ${firstMib} MiB with all connections open, at most ${mostMib} MiB`);
  return problems;
}

function tooSlow(description: string, { slowestMs }: Timings, withinMs = READY_AGAIN_MS): string[] {
  return slowestMs > withinMs ? [`${description} only after ${seconds(slowestMs)}`] : [];
}

function reportKept(say: Settings['say'], last: CheckReport, retries: number): void {
  const { acknowledged, trades, entries, triggered } = last;
  say(`${acknowledged} acknowledged answers, ${trades} trades, ${triggered} stops executed`);
  say(`${entries} ledger entries, requests repeated ${retries} times`);
}
