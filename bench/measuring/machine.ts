import { readFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { rounded } from './statistics.ts';

/** What a result was measured on, for the reader who compares it with his own. */
export function machineText(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} × ${cpu?.model ?? 'unknown processor'}, ${memory} GiB, ${process.platform}, Node ${process.version}`;
}

/** How much others used the machine while we measured. */
export interface Disturbance {
  /** Processes that wanted a processor, averaged over the last minute, when we began. */
  readonly loadBefore: number;
  /** Share of processor time that the host gave to other guests meanwhile; undefined where it is not told. */
  readonly steal: number | undefined;
}

/** Begins to watch; the function that it gives tells what was seen since. */
export function watchMachine(): () => Disturbance {
  const loadBefore = rounded(loadavg()[0] ?? Number.NaN);
  const before = processorTimes();
  return () => {
    const after = processorTimes();
    if (before === undefined || after === undefined) return { loadBefore, steal: undefined };
    const all = after.all - before.all;
    return { loadBefore, steal: rounded(all === 0 ? 0 : (after.stolen - before.stolen) / all, 4) };
  };
}

const LOOK_MS = 1_000;

/** Waits until the host has taken at most this share of a second away; gives up at `untilMs` of the monotonic clock. */
export async function quietMachine(stealMost: number, untilMs: number): Promise<void> {
  while (monotonicMs() < untilMs) {
    const seen = watchMachine();
    await sleep(LOOK_MS);
    if ((seen().steal ?? 0) <= stealMost) return;
  }
}

/** Tells whether the host took a processor away between two moments; milliseconds of the monotonic clock. */
export type Stolen = (fromMs: number, toMs: number) => boolean;

const SAMPLE_MS = 5;
/** The kernel counts what was stolen at its next tick. */
const COUNTED_WITHIN_MS = 10;

/** Begins to note every few milliseconds what the host has taken so far; the function that it gives ends that. */
export function recordSteal(): () => Stolen {
  const samples: { readonly atMs: number; readonly stolen: number }[] = [];
  const take = () => void samples.push({ atMs: monotonicMs(), stolen: processorTimes()?.stolen ?? 0 });
  take();
  const timer = setInterval(take, SAMPLE_MS);
  return () => {
    clearInterval(timer);
    take();
    return (fromMs, toMs) => {
      const before = samples.findLast(({ atMs }) => atMs <= fromMs) ?? samples[0];
      const after = samples.find(({ atMs }) => atMs >= toMs + COUNTED_WITHIN_MS) ?? samples.at(-1);
      return (after?.stolen ?? 0) > (before?.stolen ?? 0);
    };
  };
}

/** The clock of Chromium's traces. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

const STEAL_COLUMN = 7;

function processorTimes(): { all: number; stolen: number } | undefined {
  if (process.platform !== 'linux') return undefined;
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const ticks = line.trim().split(/\s+/).slice(1).map(Number);
  return { all: ticks.reduce((sum, one) => sum + one, 0), stolen: ticks[STEAL_COLUMN] ?? 0 };
}
