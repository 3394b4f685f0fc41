import { DURATION_MAX } from '@exchange/core/seconds.ts';
import { later, MINUTE_MS, SECOND_MS, type Instant } from '@exchange/core/time.ts';

/**
 * So long after its switch a source goes on as before. Every position that is open when somebody decides has ended by then,
 * and nobody knows yet which way the index will move: what was meant to be an end cannot be chosen.
 */
export const SWITCH_WAIT_MS = DURATION_MAX * SECOND_MS + MINUTE_MS;

/** A source was switched on or off at an instant; in force `SWITCH_WAIT_MS` later. */
export interface SourceState {
  readonly source: string;
  readonly isOn: boolean;
  readonly at: Instant;
}

/** Whether a source counts at an instant, by its changes, oldest first. A source that was never switched counts. */
export function isSourceOn(changes: readonly SourceState[], at: Instant): boolean {
  const made = later(at, -SWITCH_WAIT_MS);
  return changes.findLast((change) => change.at <= made)?.isOn ?? true;
}
