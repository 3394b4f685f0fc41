import { eventOfGroup, parseEventFilter, type EventFilterName } from './events.ts';
import { groupOfType, typeOfGroup, type StatementGroup } from './statement.ts';

/** The list and the filters of the account history that a URL selects. */
export interface HistoryView {
  /** Group of entries to which the ledger is filtered. The ledger has no filter by event. */
  readonly group: StatementGroup;
  /** Filter of the events; undefined if all events are listed. */
  readonly event: EventFilterName | undefined;
  /** True if the ledger is listed, and false if events are. */
  readonly isLedger: boolean;
  /** Number of a ledger entry. If it is set, only the event of this entry is shown; undefined shows the list. */
  readonly entry?: string | undefined;
}

export const WHOLE_HISTORY: HistoryView = { group: 'all', event: undefined, isLedger: false };

/**
 * Parses list and filters of the account history from the URL; returns undefined if its parameter `type` is missing or
 * unknown.
 */
export function historyViewOf(query: URLSearchParams): HistoryView | undefined {
  const group = groupOfType(query.get('type'));
  if (group === undefined) return undefined;
  return {
    group,
    event: parseEventFilter(query.get('event')) ?? eventOfGroup(group),
    isLedger: query.get('view') === 'ledger',
    entry: entryOf(query.get('entry')),
  };
}

/**
 * Returns the number of a ledger entry in a URL parameter; undefined if the parameter is missing or is not a
 * positive integer of at most 15 digits.
 */
function entryOf(text: string | null): string | undefined {
  return text !== null && /^[1-9]\d{0,14}$/.test(text) ? text : undefined;
}

/**
 * Returns the query parameters for a list and filters of the account history, for example `type=4&event=deposit` or
 * `type=1&view=ledger`.
 */
export function historyQueryOf({ group, event, isLedger, entry }: HistoryView): Record<string, string> {
  return {
    type: typeOfGroup(group),
    ...(event === undefined || event === eventOfGroup(group) ? {} : { event }),
    ...(isLedger ? { view: 'ledger' } : {}),
    ...(entry === undefined ? {} : { entry }),
  };
}

/** The lists of deposits, withdrawals, conversions and transfers; the URL parameter `tab` selects one. */
export const TRANSFER_TABS = ['deposits', 'withdrawals', 'conversions', 'transfers'] as const;
export type TransferTab = (typeof TRANSFER_TABS)[number];

/**
 * Parses the name of a transfer list (deposits, withdrawals, conversions or transfers) from a URL; undefined
 * when it is unknown.
 */
export function transferTabOf(name: string | null): TransferTab | undefined {
  return TRANSFER_TABS.find((tab) => tab === name);
}

/** The translation key of the name of each list in `TRANSFER_TABS`, in the namespace `statement`. */
export const TRANSFER_TAB_WORDS = {
  deposits: 'event_deposit',
  withdrawals: 'event_withdrawal',
  conversions: 'event_convert',
  transfers: 'event_transfer',
} as const;
