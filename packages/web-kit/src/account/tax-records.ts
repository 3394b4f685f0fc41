import { paths } from '../paths.ts';
import { historyQueryOf, WHOLE_HISTORY } from './history-query.ts';

/**
 * Returns the path of the single record in the account history from which a disposal, a lot or a transfer of coins came.
 * `id` is its id in the tax report: the number of the ledger entry and the coin, such as `1234-BTC`.
 */
export function recordPath(id: string): string {
  const { group, event, isLedger } = WHOLE_HISTORY;
  const query = historyQueryOf({ group, event, isLedger, entry: id.split('-')[0] });
  return `${paths.records}?${new URLSearchParams(query).toString()}`;
}
