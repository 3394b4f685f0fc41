/**
 * Measures the fan-out of the live feed: depth updates to 2,000 WebSocket readers, without and with compression,
 * compared with plain TCP writes of the same bytes, and with the same feed while 100 of the readers are stalled.
 * Writes `bench/results/feed.json`. Run: npx tsx bench/feed.ts
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Received } from './feed/clients.ts';
import { MESSAGE_BYTES } from './feed/message.ts';
import type { Usage, Waiting } from './feed/server.ts';
import { watchMachine } from './measuring/machine.ts';
import { buildPrograms, startProgram, type RunningProgram } from './measuring/programs.ts';
import { writeResults, printRatios, type Ratio } from './measuring/results.ts';
import { median, percentile, round } from './measuring/statistics.ts';

const REPEATS = Number(process.env['REPEATS'] ?? 3);
const READERS = 2_000;
const STALLED = 100;
const PROCESSES = 2;
/**
 * The rates of updates and the durations of the measurements. At the heavy rate the work for updates is so large that
 * the processor time of an idle process is negligible.
 */
const PACES = {
  steady: { perSecond: 10, runMs: 8_000 },
  heavy: { perSecond: 50, runMs: 4_000 },
} as const;
type Pace = keyof typeof PACES;
const CUT_TIMEOUT_MS = 45_000;
const POLL_EVERY_MS = 250;

const SIDES = {
  bare: { kind: 'bare', stalled: 0 },
  hub: { kind: 'hub', stalled: 0 },
  compressed: { kind: 'compressed', stalled: 0 },
  stalled: { kind: 'hub', stalled: STALLED },
} as const;
type Side = keyof typeof SIDES;
const SIDE_NAMES = Object.keys(SIDES) as Side[];

interface Figures extends Usage {
  readonly megabytes: number;
  readonly messages: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}
type Run = Readonly<Record<Pace, Figures>> & {
  /**
   * Seconds from the end of the measurement until the server had disconnected all stalled readers, or until the timeout
   * if it did not disconnect all of them. Undefined if the run had no stalled readers, and in all repeats but the last.
   */
  readonly cutAfterSeconds: number | undefined;
  readonly afterCut: Waiting | undefined;
};

const disturbanceSoFar = watchMachine();
const programs = await buildPrograms('feed', { server: 'feed/server.ts', clients: 'feed/clients.ts' });
const runs: Record<Side, Run[]> = { bare: [], hub: [], compressed: [], stalled: [] };
for (let repeat = 0; repeat < REPEATS; repeat += 1) {
  // The sides that are compared run in alternating order, so that no side always runs after another one.
  for (const side of repeat % 2 === 0 ? SIDE_NAMES : SIDE_NAMES.toReversed()) {
    runs[side].push(await measure(side, repeat === REPEATS - 1));
  }
}
await report();

async function measure(side: Side, isLast: boolean): Promise<Run> {
  const { kind, stalled } = SIDES[side];
  const server = await startProgram<{ port: number }>(programs.server, [kind]);
  const clients: RunningProgram<object>[] = [];
  for (let index = 0; index < PROCESSES; index += 1) {
    const counts = [READERS / PROCESSES, stalled / PROCESSES];
    clients.push(await startProgram<object>(programs.clients, [kind, server.ready.port, ...counts]));
  }
  if (stalled > 0) await server.request(`fill ${stalled}`);
  const measurePace = async ({ perSecond, runMs }: (typeof PACES)[Pace]): Promise<Figures> => {
    for (const client of clients) await client.request('begin');
    await server.request(`start ${perSecond}`);
    await sleep(runMs);
    const usage = await server.request<Usage>('stop');
    const received = await Promise.all(clients.map((client) => client.request<Received>('end')));
    const latenciesMs = received.flatMap((results) => results.latenciesMs);
    return {
      ...usage,
      megabytes: received.reduce((sum, results) => sum + results.megabytes, 0),
      messages: received.reduce((sum, results) => sum + results.messages, 0),
      p50Ms: percentile(latenciesMs, 0.5),
      p99Ms: percentile(latenciesMs, 0.99),
    };
  };
  const steady = await measurePace(PACES.steady);
  const heavy = await measurePace(PACES.heavy);
  const cutOff = stalled > 0 && isLast ? await waitForCut(server) : undefined;
  for (const client of clients) await client.stop();
  await server.stop();
  return { steady, heavy, cutAfterSeconds: cutOff?.afterSeconds, afterCut: cutOff?.left };
}

/**
 * Sends updates at the steady pace until the server has disconnected the stalled readers, or until the timeout.
 * Returns the seconds that this took and, in `left`, how many of all readers are still connected and how many bytes
 * are buffered for all of them.
 */
async function waitForCut(server: RunningProgram<object>): Promise<{ afterSeconds: number; left: Waiting }> {
  await server.request(`start ${PACES.steady.perSecond}`);
  const startMs = performance.now();
  for (;;) {
    const left = await server.request<Waiting>('look');
    const afterMs = performance.now() - startMs;
    if (left.connections <= READERS - STALLED || afterMs > CUT_TIMEOUT_MS) {
      await server.request('stop');
      return { afterSeconds: afterMs / 1_000, left };
    }
    await sleep(POLL_EVERY_MS);
  }
}

async function report(): Promise<void> {
  const rows = SIDE_NAMES.flatMap((side) =>
    (Object.keys(PACES) as Pace[]).map((pace) => ({ side, pace, ...rowOf(side, pace) })),
  );
  console.table(rows);
  const figuresOf = (side: Side, pace: Pace) => rows.find((row) => row.side === side && row.pace === pace)!;
  const ratios = ratiosOf(figuresOf);
  printRatios(ratios);
  const last = runs.stalled.at(-1);
  const cut = { afterSeconds: round(last?.cutAfterSeconds ?? Number.NaN, 1), left: last?.afterCut };
  console.log(
    `the stalled were cut off ${cut.afterSeconds} s after the heavy run; connected: ${cut.left?.connections}`,
  );
  const disturbance = disturbanceSoFar();
  console.log(`load before ${disturbance.loadBefore}, steal ${disturbance.steal ?? 'unknown'}`);
  await writeResults('feed', {
    disturbance,
    repeats: REPEATS,
    readers: READERS,
    stalled: STALLED,
    rows,
    cut,
    ratios,
  });
}

function rowOf(side: Side, pace: Pace) {
  const medianOf = (figure: (figures: Figures) => number) =>
    median(runs[side].map((run) => figure(run[pace])));
  // The benchmark counts the messages that the readers received and not those that the server published, because an
  // overloaded server omits updates.
  return {
    messagesPerSecond: Math.round(medianOf((figures) => figures.messages / figures.seconds)),
    megabytesReceived: round(
      medianOf((figures) => figures.megabytes),
      1,
    ),
    bytesEach: Math.round(medianOf((figures) => (figures.megabytes * 1e6) / figures.messages)),
    cpuMicroseconds: round(medianOf((figures) => figures.cpuMicroseconds / figures.messages)),
    cores: round(
      medianOf((figures) => figures.cpuMicroseconds / 1e6 / figures.seconds),
      3,
    ),
    longestTurnMs: round(
      medianOf((figures) => figures.longestTurnMs),
      1,
    ),
    residentMegabytes: round(
      medianOf((figures) => figures.residentMegabytes),
      0,
    ),
    waitingMegabytes: round(
      medianOf((figures) => figures.waitingBytes / 1e6),
      1,
    ),
    mostWaitingKilobytes: round(Math.max(...runs[side].map((run) => run[pace].mostWaitingBytes / 1e3)), 0),
    p50Ms: round(medianOf((figures) => figures.p50Ms)),
    p99Ms: round(medianOf((figures) => figures.p99Ms)),
  };
}

function ratiosOf(figuresOf: (side: Side, pace: Pace) => ReturnType<typeof rowOf>): readonly Ratio[] {
  const comparison = `${STALLED} of ${READERS} readers stalled ÷ none`;
  const p99 = (pace: Pace) => figuresOf('stalled', pace).p99Ms / figuresOf('hub', pace).p99Ms;
  return [
    {
      name: 'P9',
      what: `messages per processor second to ${READERS} readers ÷ plain TCP writes of the same bytes`,
      value: figuresOf('bare', 'heavy').cpuMicroseconds / figuresOf('hub', 'heavy').cpuMicroseconds,
      floor: 0.7,
      better: 'higher',
    },
    {
      name: 'P10',
      what: `bytes per update compressed ÷ plain (${MESSAGE_BYTES}), at most 1.1 × the processor time`,
      value: figuresOf('compressed', 'heavy').bytesEach / figuresOf('hub', 'heavy').bytesEach,
      floor: 0.6,
      better: 'lower',
    },
    {
      name: 'P10c',
      what: 'processor time per update compressed ÷ plain',
      value: figuresOf('compressed', 'heavy').cpuMicroseconds / figuresOf('hub', 'heavy').cpuMicroseconds,
      floor: 1.1,
      better: 'lower',
    },
    {
      name: 'F1',
      what: `p99 of the others at 10/s, ${comparison}`,
      value: p99('steady'),
      floor: 1.2,
      better: 'lower',
    },
    {
      name: 'F2',
      what: `p99 of the others at 50/s, ${comparison}`,
      value: p99('heavy'),
      floor: 1.2,
      better: 'lower',
    },
    {
      name: 'F3',
      what: `resident memory more, megabytes, ${comparison}`,
      value: figuresOf('stalled', 'heavy').residentMegabytes - figuresOf('hub', 'heavy').residentMegabytes,
      floor: 64,
      better: 'lower',
    },
    {
      name: 'F4',
      what: 'bytes waiting for the slowest reader ÷ 1 MiB',
      value: (figuresOf('stalled', 'heavy').mostWaitingKilobytes * 1e3) / 2 ** 20,
      floor: 1,
      better: 'lower',
    },
  ];
}
