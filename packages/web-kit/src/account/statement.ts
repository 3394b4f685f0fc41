import { RECORD_TYPES, tradeRecords } from '@exchange/wire/portfolio.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import { call } from '../api/client.ts';
import { useGrowingList } from '../api/list-state.tsx';
import { TOTAL_ASSETS_KEYS } from '../balance/balances.ts';
import { sentenceOf, useWords } from '../i18n/words.ts';
import { useSession } from '../session/session-store.ts';

/** An entry in the user's ledger, or a row that sums up the entries of one kind in a month (UTC). */
export type StatementRow = DataOf<typeof tradeRecords>['list'][number];

/** Groups by which ledger entries can be filtered, in display order. */
export const STATEMENT_GROUPS = ['all', 'spot', 'seconds', 'products'] as const;
export type StatementGroup = (typeof STATEMENT_GROUPS)[number];

/** Returns the group of ledger entries for the `type` parameter of a URL; undefined for an unknown value. */
export function groupOfType(type: string | null): StatementGroup | undefined {
  return STATEMENT_GROUPS.find((group) => RECORD_TYPES[group] === type);
}

export function typeOfGroup(group: StatementGroup): string {
  return RECORD_TYPES[group];
}

/**
 * Filters of the user's ledger entries. With `account`, the entries of all balances of this account are listed. Without
 * it, the entries of all accounts are listed, except those of balances that are locked in products. `group` (the cause
 * of an entry, such as spot trading), coin and period restrict the list further.
 */
export interface StatementFilter {
  readonly group?: StatementGroup | undefined;
  readonly account?: 'spot' | 'seconds' | 'products' | undefined;
  readonly currency?: string | undefined;
  /**
   * Start and end of the period in milliseconds UTC, both included; undefined if the period has no such
   * bound.
   */
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
}

/** Fetches the user's ledger entries, newest first, page by page. */
export function useStatement({ group = 'all', account, currency, startTime, endTime }: StatementFilter) {
  const isSignedIn = useSession(({ session }) => session !== null);
  const fields = {
    type: RECORD_TYPES[group],
    ...(account === undefined ? {} : { account }),
    ...(currency === undefined ? {} : { currency }),
    ...(startTime === undefined ? {} : { startTime }),
    ...(endTime === undefined ? {} : { endTime }),
  };
  return useGrowingList<StatementRow>(
    TOTAL_ASSETS_KEYS.use('statement', fields),
    (page, signal) => call(tradeRecords, { ...fields, ...page }, { signal }),
    { enabled: isSignedIn, finalRowId: ({ id }) => id },
  );
}

/**
 * Returns a function that translates the cause of a ledger entry. The translations of a product contain its
 * causes: `entry_bought` of the namespace `finance` is the name of `finance.bought`. Unknown causes get a
 * general name.
 */
export function useCauseNames(): (kind: string) => string {
  const t = useWords('statement');
  return (kind) => {
    const [product = '', act = ''] = kind.split('.');
    const key = `${product}_${act}`;
    return sentenceOf(product, `entry_${act}`) ?? sentenceOf('statement', key) ?? t('other');
  };
}
