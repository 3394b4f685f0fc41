import { Decimal, sum } from '@exchange/core/decimal.ts';
import type { AssetMessage } from '@exchange/wire/feed.ts';
import { queryClient } from '../api/query-client.ts';
import { feed, hearsOwnTopics } from '../feed/feed.ts';
import { joinedWhileShown } from '../feed/while-shown.ts';
import { onRefresh } from '../refresh.ts';
import { signedIn } from '../session/session-store.ts';
import { ACCOUNT, BALANCES } from './keys.ts';
import type { Balances, SpotBalance } from './shapes.ts';

/**
 * Keeps the balances that are shown in step with the private feed while at least one component that uses it is on
 * screen. While the feed is cut or not ours, every heartbeat asks.
 */
export const useBalanceUpdates = joinedWhileShown(join);

/** Asks again for what a deed may have moved: balances, and what everything is worth. */
export function askForBalances(): void {
  void queryClient.invalidateQueries({ queryKey: BALANCES.now() });
  void queryClient.invalidateQueries({ queryKey: ACCOUNT.now('overview') });
}

function join(): () => void {
  const stops = [
    feed.listen('asset', ({ data }) => balancesArrived(data as AssetMessage)),
    onRefresh(() => {
      if (signedIn() && !hearsOwnTopics()) askForBalances();
    }),
  ];
  return () => stops.forEach((stop) => stop());
}

function balancesArrived(changed: AssetMessage): void {
  let isKnown = true;
  queryClient.setQueryData<Balances>(BALANCES.now(), (shown) => {
    if (shown === undefined) return undefined;
    isKnown = changed.every(({ currency }) => shown.list.some((row) => row.currency === currency));
    return balancesAfter(shown, changed);
  });
  if (!isKnown) void queryClient.invalidateQueries({ queryKey: BALANCES.now() });
  void queryClient.invalidateQueries({ queryKey: ACCOUNT.now('overview') });
}

/** The balances after some have changed, valued at the prices last known. */
export function balancesAfter(shown: Balances, changed: AssetMessage): Balances {
  const byCoin = new Map(changed.map((balance) => [balance.currency, balance]));
  const list = shown.list.map((row): SpotBalance => {
    const now = byCoin.get(row.currency);
    if (now === undefined) return row;
    const held = Decimal.parse(now.available).plus(Decimal.parse(now.frozen));
    return {
      ...row,
      availableCurrency: now.available,
      frozenCurrency: now.frozen,
      total: held.times(Decimal.parse(row.price), 'down', 8).toString(),
    };
  });
  return { list, total: sum(list.map(({ total }) => Decimal.parse(total))).toString() };
}
