import { eventOfGroup, eventOfName, type EventFilterName } from './events.ts';
import { groupOfType, typeOfGroup, type StatementGroup } from './statement.ts';

/** What of the account's history an address shows. */
export interface HistoryView {
  /** Narrows the ledger, which knows groups alone. */
  readonly group: StatementGroup;
  /** Narrows the events; undefined for all. */
  readonly event: EventFilterName | undefined;
  /** The raw ledger instead of one line per event. */
  readonly isLedger: boolean;
}

export const WHOLE_HISTORY: HistoryView = { group: 'all', event: undefined, isLedger: false };

/** The account's history that an address names by `type`; undefined where it names none. */
export function historyViewOf(query: URLSearchParams): HistoryView | undefined {
  const group = groupOfType(query.get('type'));
  if (group === undefined) return undefined;
  return {
    group,
    event: eventOfName(query.get('event')) ?? eventOfGroup(group),
    isLedger: query.get('view') === 'ledger',
  };
}

/** The address of a view: `type=4&event=deposit`, `type=1&view=ledger`. */
export function historyQueryOf({ group, event, isLedger }: HistoryView): Record<string, string> {
  return {
    type: typeOfGroup(group),
    ...(event === undefined || event === eventOfGroup(group) ? {} : { event }),
    ...(isLedger ? { view: 'ledger' } : {}),
  };
}

/** What came to the accounts, left them, and moved between them: each a list of its own, named by `tab` in addresses. */
export const TRANSFER_TABS = ['deposits', 'withdrawals', 'conversions', 'transfers'] as const;
export type TransferTab = (typeof TRANSFER_TABS)[number];

/** The list that an address names; undefined where it names none of them. */
export function transferTabOf(name: string | null): TransferTab | undefined {
  return TRANSFER_TABS.find((tab) => tab === name);
}

/** The key of each list's name among the words of `statement`. */
export const TRANSFER_TAB_WORDS = {
  deposits: 'event_deposit',
  withdrawals: 'event_withdrawal',
  conversions: 'event_convert',
  transfers: 'event_transfer',
} as const;
