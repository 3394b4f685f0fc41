import type { TextByLocale } from '@exchange/core/locale.ts';
import type { Instant } from '@exchange/core/time.ts';

/**
 * Inclusive upper bounds of the latency histogram's buckets in milliseconds; a further, last bucket has no
 * bound.
 */
export const LATENCY_BOUNDS_MS: readonly number[] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000];
export const LATENCY_BUCKETS = LATENCY_BOUNDS_MS.length + 1;
const DAY_MINUTES = 1_440;

/** The parts of the exchange that an incident can concern. */
export const COMPONENTS = ['trading', 'transfers', 'api', 'site'] as const;
export type Component = (typeof COMPONENTS)[number];

/** States of an incident; `resolved` ends the incident. */
export const STAGES = ['investigating', 'identified', 'watching', 'resolved'] as const;
export type Stage = (typeof STAGES)[number];

export const TITLE_MAX = 120;
export const TEXT_MAX = 2_000;

/** A report of operators about an incident. */
export interface IncidentReport {
  readonly at: Instant;
  readonly stage: Stage;
  readonly content: TextByLocale;
}

export interface Incident {
  readonly id: string;
  readonly component: Component;
  readonly title: TextByLocale;
  readonly startedAt: Instant;
  /** End of the incident; undefined while the incident lasts. */
  readonly endedAt: Instant | undefined;
  /** The newest reports about the incident, of which the oldest comes first. */
  readonly reports: readonly IncidentReport[];
}

/**
 * Whether a network's deposits or withdrawals are offered now; `none` if the exchange does not offer them.
 * `pause` is set only while operators have paused them.
 */
export interface DirectionStatus {
  readonly state: 'open' | 'paused' | 'none';
  readonly pause:
    | { readonly note: TextByLocale; readonly since: Instant; readonly expectedAt: Instant | undefined }
    | undefined;
}

/** The state of one network as the public status page shows it. */
export interface NetworkStatus {
  readonly code: string;
  readonly name: string;
  /**
   * Whether the exchange does not read the network or reads it late, or, unless withdrawals are paused, pays
   * withdrawals on it late: a signed payment is stuck, or at least five withdrawals exceed their promised
   * time. A single withdrawal that waits does not set it.
   */
  readonly isDelayed: boolean;
  readonly deposits: DirectionStatus;
  readonly withdrawals: DirectionStatus;
}

/**
 * Whether no coin is halted, no sending of a coin is paused, all pairs trade without restriction, no network is paused
 * or delayed, and no incident is open. `pairs` are the pairs with a restriction.
 */
export function isWorking(
  networks: readonly Pick<NetworkStatus, 'isDelayed' | 'deposits' | 'withdrawals'>[],
  {
    incidents,
    haltedCoins,
    pausedCoins,
    pairs,
  }: {
    readonly incidents: readonly Pick<Incident, 'endedAt'>[];
    readonly haltedCoins: readonly unknown[];
    readonly pausedCoins: readonly unknown[];
    readonly pairs: readonly unknown[];
  },
): boolean {
  return (
    haltedCoins.length === 0 &&
    pausedCoins.length === 0 &&
    pairs.length === 0 &&
    networks.every(
      ({ isDelayed, deposits, withdrawals }) =>
        !isDelayed && deposits.pause === undefined && withdrawals.pause === undefined,
    ) &&
    incidents.every(({ endedAt }) => endedAt !== undefined)
  );
}

/** The index of the first bucket of the latency histogram whose upper bound is not less than a duration. */
export function bucketOf(ms: number): number {
  const place = LATENCY_BOUNDS_MS.findIndex((bound) => ms <= bound);
  return place === -1 ? LATENCY_BOUNDS_MS.length : place;
}

/**
 * The upper bound in milliseconds of the first latency bucket up to which `share` (0 to 1) of all orders are counted;
 * undefined if there is no order or that bucket has no bound.
 */
export function latencyWithin(counts: readonly number[], share: number): number | undefined {
  const all = counts.reduce((sum, count) => sum + count, 0);
  let counted = 0;
  const place = counts.findIndex((count) => (counted += count) >= share * all);
  return all === 0 ? undefined : LATENCY_BOUNDS_MS[place];
}

/** The number of minutes of a UTC day in which the exchange worked, and the first of these minutes. */
export interface SeenDay {
  /** UTC day, in days since 1970. */
  readonly day: number;
  readonly minutes: number;
  /** The first counted minute of the day, in minutes since 1970. */
  readonly firstMinute: number;
}

/**
 * The share (0 to 1) of a UTC day's minutes in which the exchange worked. Minutes after `nowMinute` are left
 * out, and on `firstDay` also those before its first counted minute. The share is 0 for a later day without
 * counted minutes, and undefined for a day before `firstDay`.
 */
export function uptimeOf(
  day: number,
  seen: SeenDay | undefined,
  { firstDay, nowMinute }: { readonly firstDay: number; readonly nowMinute: number },
): number | undefined {
  if (day < firstDay) return undefined;
  if (seen === undefined) return 0;
  const from = day === firstDay ? seen.firstMinute : day * DAY_MINUTES;
  const until = Math.min((day + 1) * DAY_MINUTES, nowMinute + 1);
  return Math.min(1, seen.minutes / Math.max(1, until - from));
}
