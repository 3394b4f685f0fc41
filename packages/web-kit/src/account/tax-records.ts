import type { TaxSource } from '@exchange/wire/tax.ts';
import type { EventFilterName } from './events.ts';
import { historyQueryOf, WHOLE_HISTORY, type TransferTab } from './history-query.ts';
import { paths } from '../paths.ts';

const TABS: ReadonlyMap<TaxSource, TransferTab | 'fills'> = new Map([
  ['trade', 'fills'],
  ['convert', 'conversions'],
  ['deposit', 'deposits'],
  ['withdrawal', 'withdrawals'],
]);

/** The filter of the account history that shows entries of a kind, by the first word of the kind. */
const EVENTS: ReadonlyMap<string, EventFilterName> = new Map([
  ['finance', 'finance'],
  ['mining', 'mining'],
  ['fund', 'fund'],
  ['seconds', 'seconds'],
  ['subscription', 'launchpad'],
  ['invite', 'reward'],
  ['faucet', 'reward'],
  ['subaccount', 'transfer'],
]);

/** Returns the path of the list that contains the record of a disposal, of a lot, or of a transfer of coins. */
export function recordPath(source: TaxSource, kind: string): string {
  const tab = TABS.get(source);
  const event = EVENTS.get(kind.split('.')[0] ?? '') ?? 'other';
  const query: Record<string, string> =
    tab === undefined
      ? historyQueryOf({ group: WHOLE_HISTORY.group, event, isLedger: WHOLE_HISTORY.isLedger })
      : { tab };
  return `${paths.records}?${new URLSearchParams(query).toString()}`;
}
