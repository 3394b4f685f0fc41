import { refusal, type Refusal } from './refusal.ts';
import { DAY_MS } from './time.ts';

/** A period of time in milliseconds UTC. Both ends are optional and included in the period. */
export interface Period {
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
}

/** Returns a refusal if the period ends before it starts; otherwise undefined. */
export function periodProblem({ startTime, endTime }: Period): Refusal | undefined {
  if (startTime === undefined || endTime === undefined || startTime <= endTime) return undefined;
  return refusal('invalidField', 'l.period_backwards', { field: 'endTime' });
}

/** Maximum length of an exported period in days, so that a leap year fits. */
export const EXPORT_DAYS_MAX = 366;

/**
 * Returns a refusal if the period ends before it starts or is longer than `EXPORT_DAYS_MAX` days; otherwise
 * undefined. A begun day counts as a whole one.
 */
export function exportPeriodProblem(period: { startTime: number; endTime: number }): Refusal | undefined {
  const { startTime, endTime } = period;
  const problem = periodProblem(period);
  if (problem !== undefined) return problem;
  const days = Math.ceil((endTime - startTime) / DAY_MS);
  if (days <= EXPORT_DAYS_MAX) return undefined;
  const parameters = { field: 'endTime', limit: String(EXPORT_DAYS_MAX), value: String(days) };
  return refusal('aboveMaximum', 'l.export_range', parameters);
}
