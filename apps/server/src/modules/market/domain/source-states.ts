import { DURATION_MAX } from '@exchange/core/seconds.ts';
import { later, MINUTE_MS, SECOND_MS, type Instant } from '@exchange/core/time.ts';

/**
 * Delay after which switching a price source off or on takes effect. All positions in seconds contracts that are open
 * at the time of the decision have ended by then, so an operator cannot choose the outcome of an open position.
 */
export const SWITCH_WAIT_MS = DURATION_MAX * SECOND_MS + MINUTE_MS;

/** A switch of a price source, on or off, by an operator at the time `at`; it takes effect `SWITCH_WAIT_MS` later. */
export interface SourceState {
  readonly source: string;
  readonly isOn: boolean;
  readonly at: Instant;
}

/**
 * Whether a price source counts for the index at an instant, given its switches, oldest first. A switch takes
 * effect `SWITCH_WAIT_MS` after its time `at`. A source counts until its first switch takes effect.
 */
export function isSourceOn(changes: readonly SourceState[], at: Instant): boolean {
  const latestSwitch = later(at, -SWITCH_WAIT_MS);
  return changes.findLast((change) => change.at <= latestSwitch)?.isOn ?? true;
}
