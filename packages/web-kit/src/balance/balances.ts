import { Decimal, sum } from '@exchange/core/decimal.ts';
import type { SpotBalance as BalanceSent, AssetMessage } from '@exchange/wire/feed.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import { call } from '../api/client.ts';
import { askAnew, queryClient } from '../api/query-client.ts';
import { useStoredRead } from '../api/stored-answers.ts';
import { ReceivedMeanwhile, feed, receivesOwn } from '../feed/feed.ts';
import { joinedWhileShown } from '../feed/while-shown.ts';
import { onRefresh } from '../refresh.ts';
import { ownKeys } from '../session/own-key.ts';
import { useSession, signedIn } from '../session/session-store.ts';

/** A balance; unlike on the wire, `currency` is the ticker (`BTC`) as everywhere else, `currencyName` the full name. */
export type SpotBalance = BalanceSent;

/** The coin account, which every product pays from and into. */
interface Balances {
  readonly list: readonly SpotBalance[];
  /** Worth of the whole coin account in USDT. */
  readonly total: string;
}

/** The coin account in the cache. */
const BALANCES = ownKeys('balance');
/** What everything of a person is worth; it changes with their balances. */
export const ACCOUNT = ownKeys('account');

/** The coin account, kept fresh by the private feed. */
export function useBalances() {
  const isSignedIn = useSession(({ session }) => session !== null);
  useBalanceUpdates();
  return useStoredRead({
    queryKey: BALANCES.use(),
    queryFn: ({ signal }) =>
      balancesWithNews(async () => {
        const { list, total } = await call(spotAssets, { pageSize: 100 }, { signal });
        return { list: list.map(byTicker), total };
      }),
    enabled: isSignedIn,
  });
}

/** Available and frozen of one coin; undefined until known. */
export function useBalance(coin: string): SpotBalance | undefined {
  return useBalances().data?.list.find(({ currency }) => currency === coin);
}

function byTicker(balance: BalanceSent): SpotBalance {
  return { ...balance, currency: balance.currencyName, currencyName: balance.currency };
}

/**
 * Keeps the balances that are shown in step with the private feed while at least one component that uses it is on
 * screen. While the feed is cut or not ours, every heartbeat asks.
 */
const useBalanceUpdates = joinedWhileShown(join);

/** Asks again for what a deed may have moved: balances, and what everything is worth. */
export function askForBalances(): void {
  askAnew(BALANCES.now());
  askForWorth();
}

/** What follows from the balances of all accounts. */
function askForWorth(): void {
  askAnew(ACCOUNT.now('holdings'));
  askAnew(ACCOUNT.now('costs'));
}

type Change = (shown: Balances) => Balances;

/** What the feed sends of balances while they are being loaded. */
const ownBalances = new ReceivedMeanwhile<Change>();

/** Loads the balances. What the feed sends meanwhile wins: the answer may have been read before it happened. */
function balancesWithNews(load: () => Promise<Balances>): Promise<Balances> {
  return ownBalances.during(load, (shown, change) => change(shown));
}

function join(): () => void {
  const stops = [
    feed.subscribe('asset', ({ type, data }) => balancesArrived(type, data as AssetMessage)),
    onRefresh(() => {
      if (signedIn() && !receivesOwn('asset')) askForBalances();
    }),
  ];
  return () => stops.forEach((stop) => stop());
}

function balancesArrived(type: 'snapshot' | 'update', changed: AssetMessage): void {
  const change: Change = (shown) =>
    balancesAfter(shown, type === 'snapshot' ? withZeros(shown, changed) : changed);
  ownBalances.receive(change);
  let isKnown = true;
  queryClient.setQueryData<Balances>(BALANCES.now(), (shown) => {
    if (shown === undefined) return undefined;
    isKnown = changed.every(({ currency }) => shown.list.some((row) => row.currency === currency));
    return change(shown);
  });
  if (!isKnown) askAnew(BALANCES.now());
  askForWorth();
}

/** A snapshot names all balances but those that are zero. */
function withZeros({ list }: Balances, all: AssetMessage): AssetMessage {
  const named = new Set(all.map(({ currency }) => currency));
  const gone = list.filter(({ currency }) => !named.has(currency));
  return [...all, ...gone.map(({ currency }) => ({ currency, available: '0', frozen: '0' }))];
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
