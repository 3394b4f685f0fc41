import { PROMISED_MS } from '@exchange/core/network.ts';
import { SECOND_MS } from '@exchange/core/time.ts';

/** Upper bounds, in seconds, of the histogram buckets for durations; longer ones count in the last bucket. */
export const TIME_STEPS: readonly number[] = [
  10, 15, 20, 30, 40, 50, 60, 75, 90, 120, 150, 180, 240, 300, 360, 420, 480, 540, 600, 720, 900, 1200, 1500,
  1800, 2400, 3000, 3600, 4500, 5400, 7200, 9000, 10_800, 14_400, 18_000, 21_600, 28_800, 36_000, 43_200,
  57_600, 72_000, 86_400, 129_600, 172_800, 259_200, 604_800,
];

/** Withdrawals of one coin and network in one duration bucket. */
export interface DurationCount {
  readonly asset: string;
  readonly network: string;
  /** The upper bound of the bucket. */
  readonly seconds: number;
  readonly count: number;
  readonly late: number;
  readonly slowestMs: number;
}

/** Duration statistics; `medianSeconds` and `p90Seconds` are upper bounds for 50% and 90%. */
export interface DurationStats {
  readonly finished: number;
  readonly medianSeconds: number;
  readonly p90Seconds: number;
  readonly slowestSeconds: number;
  readonly late: number;
}

export interface RouteDurations extends DurationStats {
  readonly asset: string;
  readonly network: string;
}

/** The bucket of a duration, by its upper bound in seconds. */
export function stepOf(ms: number): number {
  return TIME_STEPS.find((seconds) => ms <= seconds * SECOND_MS) ?? TIME_STEPS.at(-1)!;
}

export function isLate(ms: number): boolean {
  return ms > PROMISED_MS;
}

/** Statistics over all buckets. Durations round up to the bucket's bound, so no figure is better than reality. */
export function timesOf(buckets: readonly DurationCount[]): DurationStats {
  const ordered = buckets.toSorted((left, right) => left.seconds - right.seconds);
  const finished = total(buckets, ({ count }) => count);
  const slowestSeconds = Math.ceil(Math.max(0, ...buckets.map((bucket) => bucket.slowestMs)) / SECOND_MS);
  const percentile = (share: number): number => {
    let counted = 0;
    const bucket = ordered.find(({ count }) => (counted += count) >= share * finished);
    // The slowest duration is known exactly and caps every percentile.
    return Math.min(bucket?.seconds ?? 0, slowestSeconds);
  };
  const lateCount = total(buckets, (bucket) => bucket.late);
  return {
    finished,
    medianSeconds: percentile(0.5),
    p90Seconds: percentile(0.9),
    slowestSeconds,
    late: lateCount,
  };
}

/** Statistics for each coin and network, in the order of their first row. */
export function routeTimesOf(buckets: readonly DurationCount[]): RouteDurations[] {
  const routes = new Map<string, DurationCount[]>();
  for (const bucket of buckets) {
    const key = `${bucket.asset} ${bucket.network}`;
    routes.set(key, [...(routes.get(key) ?? []), bucket]);
  }
  return [...routes.values()].map((rows) => {
    const { asset, network } = rows[0]!;
    return { asset, network, ...timesOf(rows) };
  });
}

function total(buckets: readonly DurationCount[], valueOf: (bucket: DurationCount) => number): number {
  return buckets.reduce((sum, bucket) => sum + valueOf(bucket), 0);
}
