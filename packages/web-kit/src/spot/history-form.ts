import { periodProblem } from '@exchange/core/period.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import type { OrderType } from '@exchange/core/spot.ts';
import type { HistoryFilter } from './shapes.ts';

/** Values of the filter form of the order history; a filter with an empty text is not applied. */
export interface HistoryForm {
  /** Name of a pair such as `BTC/USDT`; empty for all pairs. */
  readonly pair: string;
  readonly side: '' | '1' | '2';
  readonly type: '' | OrderType;
  readonly ended: 'all' | 'finished' | 'cancelled';
  /**
   * First and last day of the period in the device's time zone, such as `2026-11-21`; the period includes both days.
   */
  readonly from: string;
  readonly to: string;
}

export const INITIAL_HISTORY: HistoryForm = { pair: '', side: '', type: '', ended: 'all', from: '', to: '' };

/**
 * Converts the filter form of the order history to request fields. The period, in milliseconds UTC, is from midnight at
 * the beginning of the first day to the end of the last day, in the device's time zone.
 */
export function historyFilterOf({ pair, side, type, ended, from, to }: HistoryForm): HistoryFilter {
  const [baseCoin, quoteCoin] = pair.split('/');
  const start = midnightOf(from, 0);
  const afterEnd = midnightOf(to, 1);
  return {
    ...(quoteCoin === undefined ? {} : { baseCoin, quoteCoin }),
    ...(side === '' ? {} : { tradeType: side }),
    ...(type === '' ? {} : { orderType: type }),
    ...(ended === 'all' ? {} : { status: ended }),
    ...(start === undefined ? {} : { startTime: start }),
    ...(afterEnd === undefined ? {} : { endTime: afterEnd - 1 }),
  };
}

/** Returns a refusal if the last day of a period is before its first day. */
export function daysProblem({ from, to }: Pick<HistoryForm, 'from' | 'to'>): Refusal | undefined {
  return periodProblem(historyFilterOf({ ...INITIAL_HISTORY, from, to }));
}

/**
 * Returns the time in milliseconds UTC of midnight in the device's time zone, `days` days after the beginning
 * of the day `day`, which is such as `2026-11-21`; undefined if `day` is empty. Computed by calendar, because
 * a day can have 23 to 25 hours.
 */
function midnightOf(day: string, days: number): number | undefined {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (parts === null) return undefined;
  return new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]) + days).getTime();
}
