/**
 * The live feed's fan-out: a depth update to 1,000 WebSocket readers beside plain TCP writes of the same
 * bytes. Writes `bench/results/feed.json`. Run: npx tsx bench/feed.ts
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Received } from './feed/clients.ts';
import type { Usage } from './feed/server.ts';
import { watchMachine } from './measuring/machine.ts';
import { builtPrograms, runningProgram } from './measuring/programs.ts';
import { keepResults, printRatios } from './measuring/results.ts';
import { median, rounded } from './measuring/statistics.ts';

const REPEATS = 3;
const READERS = 1_000;
const STEADY_PER_SECOND = 10;
/** Enough that what a process costs at rest no longer shows. */
const HEAVY_PER_SECOND = 50;
const RUN_MS = 4_000;
const KINDS = ['bare', 'hub'] as const;
type Kind = (typeof KINDS)[number];

interface Figures {
  readonly steady: Usage & Received;
  readonly heavy: Usage & Received;
}

const seen = watchMachine();
const programs = await builtPrograms('feed', { server: 'feed/server.ts', clients: 'feed/clients.ts' });
const figures: Record<Kind, Figures[]> = { bare: [], hub: [] };
for (let repeat = 0; repeat < REPEATS; repeat += 1) {
  for (const kind of KINDS) figures[kind].push(await measured(kind));
}
await report();

async function measured(kind: Kind): Promise<Figures> {
  const server = await runningProgram<{ port: number }>(programs.server, [kind]);
  const clients = await runningProgram<object>(programs.clients, [kind, server.ready.port, READERS]);
  const at = async (perSecond: number) => {
    await clients.ask('begin');
    await server.ask(`start ${perSecond}`);
    await sleep(RUN_MS);
    const usage = await server.ask<Usage>('stop');
    await sleep(200);
    return { ...usage, ...(await clients.ask<Received>('end')) };
  };
  const steady = await at(STEADY_PER_SECOND);
  const heavy = await at(HEAVY_PER_SECOND);
  await clients.stop();
  await server.stop();
  return { steady, heavy };
}

async function report(): Promise<void> {
  const rows = KINDS.flatMap((kind) =>
    (['steady', 'heavy'] as const).map((pace) => {
      const middle = (of: (one: Usage & Received) => number) =>
        median(figures[kind].map((one) => of(one[pace])));
      const delivered = middle((one) => (one.updates * READERS) / one.seconds);
      return {
        side: kind,
        pace,
        messagesPerSecond: Math.round(delivered),
        megabytesReceived: rounded(
          middle((one) => one.megabytes),
          1,
        ),
        cpuMicroseconds: rounded(middle((one) => one.cpuMicroseconds / (one.updates * READERS))),
        cores: rounded(
          middle((one) => one.cpuMicroseconds / 1e6 / one.seconds),
          3,
        ),
        residentMegabytes: rounded(
          middle((one) => one.residentMegabytes),
          0,
        ),
        p50Ms: rounded(middle((one) => one.p50Ms)),
        p99Ms: rounded(middle((one) => one.p99Ms)),
      };
    }),
  );
  console.table(rows);
  const cost = (kind: Kind) =>
    rows.find(({ side, pace }) => side === kind && pace === 'heavy')?.cpuMicroseconds ?? Number.NaN;
  const what = `messages per processor second to ${READERS} readers ÷ plain TCP writes of the same bytes`;
  const ratios = [
    { name: 'P9', what, value: cost('bare') / cost('hub'), floor: 0.7, better: 'higher' as const },
  ];
  printRatios(ratios);
  const disturbance = seen();
  console.log(`load before ${disturbance.loadBefore}, steal ${disturbance.steal ?? 'unknown'}`);
  await keepResults('feed', { disturbance, repeats: REPEATS, readers: READERS, rows, ratios });
}
