import { PROMISED_MS } from '@exchange/core/network.ts';
import { SECOND_MS } from '@exchange/core/time.ts';

/** Steps that times are counted by, as their upper ends in seconds; what took longer counts as the last. */
export const TIME_STEPS: readonly number[] = [
  10, 15, 20, 30, 40, 50, 60, 75, 90, 120, 150, 180, 240, 300, 360, 420, 480, 540, 600, 720, 900, 1200, 1500,
  1800, 2400, 3000, 3600, 4500, 5400, 7200, 9000, 10_800, 14_400, 18_000, 21_600, 28_800, 36_000, 43_200,
  57_600, 72_000, 86_400, 129_600, 172_800, 259_200, 604_800,
];

/** Withdrawals of one coin and network that took as long as one step. */
export interface Took {
  readonly asset: string;
  readonly network: string;
  /** The upper end of the step. */
  readonly seconds: number;
  readonly count: number;
  readonly late: number;
  readonly slowestMs: number;
}

/** How long many took: half, and nine of ten, at most so many seconds. */
export interface Times {
  readonly finished: number;
  readonly medianSeconds: number;
  readonly p90Seconds: number;
  readonly slowestSeconds: number;
  readonly late: number;
}

/** Times of one coin on one network. */
export interface RouteTimes extends Times {
  readonly asset: string;
  readonly network: string;
}

/** The step that a time falls into, by its upper end in seconds. */
export function stepOf(ms: number): number {
  return TIME_STEPS.find((seconds) => ms <= seconds * SECOND_MS) ?? TIME_STEPS.at(-1)!;
}

export function isLate(ms: number): boolean {
  return ms > PROMISED_MS;
}

/** Times of everything counted; no figure is better than what was, since a step counts as its upper end. */
export function timesOf(all: readonly Took[]): Times {
  const ordered = all.toSorted((one, other) => one.seconds - other.seconds);
  const finished = total(all, ({ count }) => count);
  const slowestSeconds = Math.ceil(Math.max(0, ...all.map((one) => one.slowestMs)) / SECOND_MS);
  const within = (share: number): number => {
    let counted = 0;
    const found = ordered.find(({ count }) => (counted += count) >= share * finished);
    // The slowest is known exactly, and nothing took longer.
    return Math.min(found?.seconds ?? 0, slowestSeconds);
  };
  const late = total(all, (one) => one.late);
  return { finished, medianSeconds: within(0.5), p90Seconds: within(0.9), slowestSeconds, late };
}

/** The same for each coin and network, in the order of their first row. */
export function routeTimesOf(all: readonly Took[]): RouteTimes[] {
  const routes = new Map<string, Took[]>();
  for (const one of all) {
    const key = `${one.asset} ${one.network}`;
    routes.set(key, [...(routes.get(key) ?? []), one]);
  }
  return [...routes.values()].map((rows) => {
    const { asset, network } = rows[0]!;
    return { asset, network, ...timesOf(rows) };
  });
}

function total(all: readonly Took[], of: (one: Took) => number): number {
  return all.reduce((sum, one) => sum + of(one), 0);
}
