import { periodProblem } from '@exchange/core/period.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import type { OrderType } from '@exchange/core/spot.ts';
import type { HistoryFilter } from './shapes.ts';

/** What somebody has narrowed their records to; empty texts narrow nothing. */
export interface HistoryForm {
  /** `BTC/USDT`. */
  readonly pair: string;
  readonly side: '' | '1' | '2';
  readonly type: '' | OrderType;
  readonly ended: 'all' | 'finished' | 'cancelled';
  /** Days as `2026-11-21`, both included, in local time. */
  readonly from: string;
  readonly to: string;
}

export const INITIAL_HISTORY: HistoryForm = { pair: '', side: '', type: '', ended: 'all', from: '', to: '' };

/** The filter as the calls take it: the period in milliseconds, from local midnight to the end of the last day. */
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

/** Why records cannot be asked for these days: the last one lies before the first; undefined when they can. */
export function daysProblem({ from, to }: Pick<HistoryForm, 'from' | 'to'>): Refusal | undefined {
  return periodProblem(historyFilterOf({ ...INITIAL_HISTORY, from, to }));
}

/** Local midnight at the start of the day that comes `days` after `day`: days are 23 to 25 hours long. */
function midnightOf(day: string, days: number): number | undefined {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (parts === null) return undefined;
  return new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]) + days).getTime();
}
