import { readFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { round } from './statistics.ts';

/** Describes the machine on which a result was measured. */
export function machineText(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} × ${cpu?.model ?? 'unknown processor'}, ${memory} GiB, ${process.platform}, Node ${process.version}`;
}

/** How much other programs, and other virtual machines on the same host, disturb a measurement. */
export interface Disturbance {
  /** Load average of the last minute at the start of the measurement. */
  readonly loadBefore: number;
  /**
   * Share (0 to 1) of processor time that the hypervisor used for other virtual machines during the measurement.
   * Undefined if the system does not report it.
   */
  readonly steal: number | undefined;
}

/**
 * Reads the load of the machine and starts to measure the processor time that the hypervisor uses for other virtual
 * machines. Returns a function that returns the load at the start and the share of this processor time since then.
 */
export function watchMachine(): () => Disturbance {
  const loadBefore = round(loadavg()[0] ?? Number.NaN);
  const before = processorTimes();
  return () => {
    const after = processorTimes();
    if (before === undefined || after === undefined) return { loadBefore, steal: undefined };
    const total = after.total - before.total;
    return { loadBefore, steal: round(total === 0 ? 0 : (after.stolen - before.stolen) / total, 4) };
  };
}

const POLL_MS = 1_000;

/**
 * Waits until the hypervisor uses at most the share `stealMost` of the processor time for other virtual
 * machines, or until one measurement has ended if the system does not report this share. Stops waiting at
 * `untilMs` of the monotonic clock.
 */
export async function waitForQuietMachine(stealMost: number, untilMs: number): Promise<void> {
  while (monotonicMs() < untilMs) {
    const disturbanceSoFar = watchMachine();
    await sleep(POLL_MS);
    if ((disturbanceSoFar().steal ?? 0) <= stealMost) return;
  }
}

/**
 * Type of functions that return whether the hypervisor used a processor for other virtual machines between
 * two times of the monotonic clock in milliseconds.
 */
export type StealQuery = (fromMs: number, toMs: number) => boolean;

const SAMPLE_MS = 5;
/** Milliseconds after which the kernel has certainly counted stolen processor time: it counts at its next tick. */
const COUNTED_WITHIN_MS = 10;

/**
 * Starts recording the processor time stolen by the hypervisor every few milliseconds. The returned function
 * ends the recording and returns the query whether processor time was stolen between two times.
 */
export function recordSteal(): () => StealQuery {
  const samples: { readonly atMs: number; readonly stolen: number }[] = [];
  const sample = () => void samples.push({ atMs: monotonicMs(), stolen: processorTimes()?.stolen ?? 0 });
  sample();
  const timer = setInterval(sample, SAMPLE_MS);
  return () => {
    clearInterval(timer);
    sample();
    return (fromMs, toMs) => {
      const before = samples.findLast(({ atMs }) => atMs <= fromMs) ?? samples[0];
      const after = samples.find(({ atMs }) => atMs >= toMs + COUNTED_WITHIN_MS) ?? samples.at(-1);
      return (after?.stolen ?? 0) > (before?.stolen ?? 0);
    };
  };
}

/** Returns the milliseconds of the monotonic clock, which Chromium's traces also use. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

const STEAL_COLUMN = 7;

function processorTimes(): { total: number; stolen: number } | undefined {
  if (process.platform !== 'linux') return undefined;
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const ticks = line.trim().split(/\s+/).slice(1).map(Number);
  return { total: ticks.reduce((sum, count) => sum + count, 0), stolen: ticks[STEAL_COLUMN] ?? 0 };
}
