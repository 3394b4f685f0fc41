import { readFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
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

const STEAL_COLUMN = 7;

function processorTimes(): { all: number; stolen: number } | undefined {
  if (process.platform !== 'linux') return undefined;
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const ticks = line.trim().split(/\s+/).slice(1).map(Number);
  return { all: ticks.reduce((sum, one) => sum + one, 0), stolen: ticks[STEAL_COLUMN] ?? 0 };
}
