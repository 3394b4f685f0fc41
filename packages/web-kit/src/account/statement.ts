import { RECORD_TYPES, tradeRecords } from '@exchange/wire/portfolio.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import { call } from '../api/client.ts';
import { useGrowingList } from '../api/list-state.tsx';
import { ACCOUNT } from '../balance/balances.ts';
import { useWords } from '../i18n/words.ts';
import { useSession } from '../session/session-store.ts';

/** What moved on the coin account, and by what. */
export type StatementRow = DataOf<typeof tradeRecords>['list'][number];

/** Of what: the order in which they are offered. */
export const STATEMENT_GROUPS = ['all', 'spot', 'seconds', 'products'] as const;
export type StatementGroup = (typeof STATEMENT_GROUPS)[number];

/** The group that an address names by its `type`; undefined where it names none. */
export function groupOfType(type: string | null): StatementGroup | undefined {
  return STATEMENT_GROUPS.find((group) => RECORD_TYPES[group] === type);
}

export function typeOfGroup(group: StatementGroup): string {
  return RECORD_TYPES[group];
}

/** Which movements: of a group on the coin account, or everything of one account; narrowed by coin and period. */
export interface StatementFilter {
  readonly group?: StatementGroup | undefined;
  readonly account?: 'spot' | 'seconds' | 'products' | undefined;
  readonly currency?: string | undefined;
  /** Milliseconds, both included. */
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
}

/** The movements, newest first, page by page. */
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
    ACCOUNT.use('statement', fields),
    (page, signal) => call(tradeRecords, { ...fields, ...page }, { signal }),
    { enabled: isSignedIn, finalRowId: ({ id }) => id },
  );
}

/** What moved it, in words; a cause that has none yet is told as another. */
export function useCauseNames(): (kind: string) => string {
  const t = useWords('statement');
  return (kind) => {
    const key = kind.replace('.', '_');
    const said = t(key as Parameters<typeof t>[0]);
    return said === key ? t('other') : said;
  };
}
