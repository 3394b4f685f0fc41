import { runBank } from './bank-programme.ts';
import { runBusyStart } from './busy-start-programme.ts';
import type { Checked } from './checks.ts';
import { runCrashes } from './crash-programme.ts';
import { runDuplicates } from './duplicates-programme.ts';
import { runCrowds } from './crowd-programme.ts';
import { runFaults } from './fault-programme.ts';
import { seconds, type Timings } from './figures.ts';
import { runFloods } from './floods-programme.ts';
import { runRaces } from './races-programme.ts';
import { runWriters } from './writers-programme.ts';

/** What a programme is told on the command line; each has its own defaults. */
export interface Settings {
  readonly seed: number;
  readonly say: (line: string) => void;
  readonly whole: (
    name: 'loops' | 'kills' | 'freezes' | 'rounds' | 'calls' | 'seconds' | 'traders' | 'pace',
    otherwise: number,
  ) => number;
}

/** Runs a programme, tells the figures for `docs/reliability.md`, and gives every broken promise. */
type Programme = (settings: Settings) => Promise<readonly string[]>;

const FREEZE_MS = 20_000;
/** REL-003, REL-012, REL-013, REL-015. */
const READY_AGAIN_MS = 10_000;
/** REL-014: the lease of 5 s, and what it takes to load and open. */
const TAKEN_OVER_MS = 8_000;
/** EDGE-740. */
const CROWD_P99_MS = 100;
/** REL-004. */
const STOP_MS = 6_000;

/** By the name given with `--programme`. */
export const PROGRAMMES: Readonly<Record<string, Programme>> = {
  crash,
  faults,
  writers,
  duplicates,
  races,
  bank,
  'busy-start': busyStart,
  crowd,
  floods,
};

/** `--kills=200 --freezes=20 --traders=200`: `kill -9` of server, database and both, SIGSTOP of the server. */
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
  sayKept(say, last, times.retries);
  const stopMs = Math.max(times.stopMs, times.bereftStopMs);
  const lateStop = stopMs > STOP_MS ? [`it stopped after ${seconds(stopMs)}`] : [];
  return [...problems, ...tooSlow('ready again', ready), ...lateStop];
}

/** `--rounds=25 --traders=20`: every fault of the line to the database, so many times each. */
async function faults({ seed, say, whole }: Settings): Promise<readonly string[]> {
  const { ready, last, retries, problems } = await runFaults({
    rounds: whole('rounds', 2),
    traders: whole('traders', 20),
    paceMs: whole('pace', 150),
    seed,
    say,
  });
  for (const line of ready.table('fault')) say(line);
  sayKept(say, last, retries);
  return [...problems, ...tooSlow('ready again', ready)];
}

/** `--rounds=50 --traders=20`: a standby takes over from a writer that is frozen or cut off, which must end. */
async function writers({ seed, say, whole }: Settings): Promise<readonly string[]> {
  const { ready, takeover, ended, last, problems } = await runWriters({
    rounds: whole('rounds', 4),
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
    ...tooSlow('the standby took over', ready, TAKEN_OVER_MS),
    ...tooSlow('the old writer ended', ended),
  ];
}

/** `--calls=500000 --traders=100`: every kind of call one to five times, in any order, over restarts and kills. */
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

/** `--rounds=100 --traders=20`: each user against himself over 40 connections. */
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

/** `--loops=8`: a first start on one processor that endless loops share. */
async function busyStart({ say, whole }: Settings): Promise<readonly string[]> {
  const { problems, openMs, completeMs } = await runBusyStart({ loops: whole('loops', 8), say });
  say(`open after ${seconds(openMs)}, demo data complete after ${seconds(completeMs)}`);
  return problems;
}

/** `--seconds=3600 --traders=50`: random commands for a while, every user keeping books. */
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

/** `--calls=500 --seconds=10`: one address with so many connections in each kind of load, another trader beside it. */
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

/** `--seconds=300`: each kind of flood for so long; the tape has every second, and no position is void. */
async function floods({ say, whole }: Settings): Promise<readonly string[]> {
  const { problems, kinds, requests, settled, voids } = await runFloods({
    forMs: whole('seconds', 300) * 1_000,
    say,
  });
  say(`${kinds} kinds of flood, ${requests} requests, ${settled} positions settled, ${voids} void`);
  return problems;
}

function tooSlow(what: string, { slowestMs }: Timings, withinMs = READY_AGAIN_MS): string[] {
  return slowestMs > withinMs ? [`${what} only after ${seconds(slowestMs)}`] : [];
}

function sayKept(say: Settings['say'], last: Checked, retries: number): void {
  const { acknowledged, trades, entries, triggered } = last;
  say(`${acknowledged} acknowledged answers, ${trades} trades, ${triggered} stops executed`);
  say(`${entries} ledger entries, requests repeated ${retries} times`);
}
