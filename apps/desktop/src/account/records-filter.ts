import { DAY_MS } from '@exchange/core/time.ts';
import type { OrderFilter } from '@exchange/web-kit/spot/queries.ts';

/** What somebody has narrowed the records to; empty texts narrow nothing. */
export interface RecordsFilter {
  /** `BTC/USDT`. */
  readonly pair: string;
  readonly side: '' | '1' | '2';
  readonly ended: 'all' | 'finished' | 'cancelled';
  /** Days as `2026-11-21`, both included, in local time. */
  readonly from: string;
  readonly to: string;
}

export const INITIAL_RECORDS: RecordsFilter = { pair: '', side: '', ended: 'all', from: '', to: '' };

/** The filter as the calls take it: the period in milliseconds, from local midnight to the end of the last day. */
export function orderFilterOf({ pair, side, from, to }: RecordsFilter): OrderFilter {
  const [baseCoin, quoteCoin] = pair.split('/');
  const start = midnightOf(from);
  const end = midnightOf(to);
  return {
    ...(quoteCoin === undefined ? {} : { baseCoin, quoteCoin }),
    ...(side === '' ? {} : { tradeType: side }),
    ...(start === undefined ? {} : { startTime: start }),
    ...(end === undefined ? {} : { endTime: end + DAY_MS - 1 }),
  };
}

function midnightOf(day: string): number | undefined {
  const [year, month, date] = day.split('-').map(Number);
  if (year === undefined || month === undefined || date === undefined) return undefined;
  const time = new Date(year, month - 1, date).getTime();
  return Number.isNaN(time) ? undefined : time;
}
