import { periodProblem } from '@exchange/core/period.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import type { OrderType } from '@exchange/core/spot.ts';
import type { HistoryFilter } from './shapes.ts';

/** Values of the history filter form; an empty text does not filter. */
export interface HistoryForm {
  /** A pair such as `BTC/USDT`, or empty for all pairs. */
  readonly pair: string;
  readonly side: '' | '1' | '2';
  readonly type: '' | OrderType;
  readonly ended: 'all' | 'finished' | 'cancelled';
  /** First and last day in local time, `2026-11-21`, both inclusive. */
  readonly from: string;
  readonly to: string;
}

export const INITIAL_HISTORY: HistoryForm = { pair: '', side: '', type: '', ended: 'all', from: '', to: '' };

/**
 * Converts the history filter form to request fields: the period in milliseconds UTC, from local midnight of
 * the first day to the end of the last.
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

/** Returns a refusal if the last day of a period lies before its first. */
export function daysProblem({ from, to }: Pick<HistoryForm, 'from' | 'to'>): Refusal | undefined {
  return periodProblem(historyFilterOf({ ...INITIAL_HISTORY, from, to }));
}

/** Local midnight `days` after the start of `day`; local days last 23 to 25 hours. */
function midnightOf(day: string, days: number): number | undefined {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (parts === null) return undefined;
  return new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]) + days).getTime();
}
