import { Decimal, sum } from '@exchange/core/decimal.ts';
import type { SpotBalance as BalanceSent, AssetMessage } from '@exchange/wire/feed.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import { call } from '../api/client.ts';
import { refetchActive, queryClient } from '../api/query-client.ts';
import { useStoredRead } from '../api/stored-answers.ts';
import { UpdatesDuringLoad, feed, receivesPrivateTopic } from '../feed/feed.ts';
import { subscriptionWhileMounted } from '../feed/shared-subscription.ts';
import { onRefresh } from '../refresh.ts';
import { userKeys } from '../session/user-keys.ts';
import { useSession, signedIn } from '../session/session-store.ts';

/**
 * A user's balance of a coin. `currency` is the coin's code (`BTC`) and `currencyName` its full name. In the response
 * of `spotAssets` these two fields are swapped.
 */
export type SpotBalance = BalanceSent;

/**
 * The balances of the user's spot account: one for each listed coin, also if it is zero, and the sum of their
 * values.
 */
interface Balances {
  readonly list: readonly SpotBalance[];
  /** Sum of the values of all balances of the spot account, in USDT. */
  readonly total: string;
}

const BALANCES = userKeys('balance');
/**
 * Query keys of data that covers all of the user's accounts. When a balance changes, only two of these queries are
 * invalidated: the portfolio snapshot and the costs of coins.
 */
export const TOTAL_ASSETS_KEYS = userKeys('account');

/** Returns the user's spot balances. Updates of the private live feed change them. */
export function useBalances() {
  const isSignedIn = useSession(({ session }) => session !== null);
  useBalanceUpdates();
  return useStoredRead({
    queryKey: BALANCES.use(),
    queryFn: ({ signal }) =>
      loadBalancesWithUpdates(async () => {
        const { list, total } = await call(spotAssets, { pageSize: 100 }, { signal });
        return { list: list.map(byTicker), total };
      }),
    enabled: isSignedIn,
  });
}

/**
 * Returns the user's balance of one coin; undefined for visitors, until the balances have loaded, and for a coin that
 * the exchange does not list.
 */
export function useBalance(coin: string): SpotBalance | undefined {
  return useBalances().data?.list.find(({ currency }) => currency === coin);
}

function byTicker(balance: BalanceSent): SpotBalance {
  return { ...balance, currency: balance.currencyName, currencyName: balance.currency };
}

/**
 * While at least one component uses the balances, updates of the private live feed are applied to them. While
 * the feed's private topic is not received, the balances are requested again every five seconds while the
 * page is visible.
 */
const useBalanceUpdates = subscriptionWhileMounted(join);

/** Requests the user's balances and the totals again. Screens call it after an action that may have changed them. */
export function refetchBalances(): void {
  refetchActive(BALANCES.forCurrentUser());
  refetchTotals();
}

/** Requests the portfolio snapshot and the costs of the user's coins again. */
function refetchTotals(): void {
  refetchActive(TOTAL_ASSETS_KEYS.forCurrentUser('holdings'));
  refetchActive(TOTAL_ASSETS_KEYS.forCurrentUser('costs'));
}

type Change = (balances: Balances) => Balances;

/** Updates of the live feed that arrive while the balances are loading. */
const balanceUpdates = new UpdatesDuringLoad<Change>();

/**
 * Loads the balances and applies the updates of the live feed that arrived meanwhile, because the response may be older
 * than the updates.
 */
function loadBalancesWithUpdates(load: () => Promise<Balances>): Promise<Balances> {
  return balanceUpdates.load(load, (balances, change) => change(balances));
}

function join(): () => void {
  const unsubscribers = [
    feed.subscribe('asset', ({ type, data }) => applyBalanceMessage(type, data as AssetMessage)),
    onRefresh(() => {
      if (signedIn() && !receivesPrivateTopic('asset')) refetchBalances();
    }),
  ];
  return () => unsubscribers.forEach((unsubscribe) => unsubscribe());
}

function applyBalanceMessage(type: 'snapshot' | 'update', changed: AssetMessage): void {
  const change: Change = (balances) =>
    balancesAfter(balances, type === 'snapshot' ? withZeros(balances, changed) : changed);
  balanceUpdates.receive(change);
  let isKnown = true;
  queryClient.setQueryData<Balances>(BALANCES.forCurrentUser(), (balances) => {
    if (balances === undefined) return undefined;
    isKnown = changed.every(({ currency }) => balances.list.some((row) => row.currency === currency));
    return change(balances);
  });
  if (!isKnown) refetchActive(BALANCES.forCurrentUser());
  refetchTotals();
}

/**
 * Adds a zero balance for each coin of the loaded balances that a snapshot of the live feed does not contain, because a
 * snapshot omits zero balances.
 */
function withZeros({ list }: Balances, all: AssetMessage): AssetMessage {
  const nonZeroCoins = new Set(all.map(({ currency }) => currency));
  const zeroed = list.filter(({ currency }) => !nonZeroCoins.has(currency));
  return [...all, ...zeroed.map(({ currency }) => ({ currency, available: '0', frozen: '0' }))];
}

/**
 * Returns the balances after an update of the live feed. The changed balances are valued in USDT at the prices of the
 * last response of the server, because the feed contains no prices.
 */
export function balancesAfter(balances: Balances, changed: AssetMessage): Balances {
  const byCoin = new Map(changed.map((balance) => [balance.currency, balance]));
  const list = balances.list.map((row): SpotBalance => {
    const newBalance = byCoin.get(row.currency);
    if (newBalance === undefined) return row;
    const amount = Decimal.parse(newBalance.available).plus(Decimal.parse(newBalance.frozen));
    return {
      ...row,
      availableCurrency: newBalance.available,
      frozenCurrency: newBalance.frozen,
      total: amount.times(Decimal.parse(row.price), 'down', 8).toString(),
    };
  });
  return { list, total: sum(list.map(({ total }) => Decimal.parse(total))).toString() };
}
