import { refusal, type Refusal } from './refusal.ts';
import { DAY_MS } from './time.ts';

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

/** The longest period of one exported file; holds a leap year. */
export const EXPORT_DAYS_MAX = 366;

/** Why a period cannot be exported: it runs backwards or is too long; undefined when it can. Both ends in milliseconds. */
export function exportPeriodProblem(period: { startTime: number; endTime: number }): Refusal | undefined {
  const { startTime, endTime } = period;
  const problem = periodProblem(period);
  if (problem !== undefined) return problem;
  const days = Math.ceil((endTime - startTime) / DAY_MS);
  if (days <= EXPORT_DAYS_MAX) return undefined;
  const parameters = { field: 'endTime', limit: String(EXPORT_DAYS_MAX), value: String(days) };
  return refusal('aboveMaximum', 'l.export_range', parameters);
}
