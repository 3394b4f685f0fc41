import { refusal, type Refusal } from './refusal.ts';

/** Both ends in milliseconds; both belong to the period, and either may be open. */
export interface Period {
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
}

/** Why a period cannot be asked for: it ends before it begins; undefined when it can. */
export function periodProblem({ startTime, endTime }: Period): Refusal | undefined {
  if (startTime === undefined || endTime === undefined || startTime <= endTime) return undefined;
  return refusal('invalidField', 'l.period_backwards', { field: 'endTime' });
}
