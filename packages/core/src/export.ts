import { periodProblem } from './period.ts';
import { refusal, type Refusal } from './refusal.ts';
import { DAY_MS } from './time.ts';

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
