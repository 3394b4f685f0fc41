import type { CandleTimer } from '@exchange/core/candle.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import {
  addFundMargin,
  buyFund,
  cancelFundSell,
  fundDetail,
  fundList,
  fundNav,
  fundProof,
  fundRecordDetail,
  fundRecords,
  sellFund,
  type FundValuesMessage,
} from '@exchange/wire/fund.ts';
import { proofTape } from '@exchange/wire/proof.ts';
import { create } from 'zustand';
import { call, retryOnce, type CallFields } from '../api/client.ts';
import { everyPage } from '../api/every-page.ts';
import { useGrowingList } from '../api/list-state.tsx';
import { refetchActive, useRead } from '../api/query-client.ts';
import { refetchBalances } from '../balance/balances.ts';
import { feed, receivesPrivateTopic } from '../feed/feed.ts';
import { subscriptionWhileMounted } from '../feed/shared-subscription.ts';
import type { KeyedSubmission } from '../form/keyed-submissions.ts';
import { useLocale } from '../i18n/words.ts';
import { onRefresh } from '../refresh.ts';
import { userKeys } from '../session/user-keys.ts';
import { signedIn, useSession } from '../session/session-store.ts';

export type Fund = DataOf<typeof fundList>['list'][number];
export type FundDetail = DataOf<typeof fundDetail>;
export type FundTotals = DataOf<typeof fundRecords>['totals'];
export type FundRecord = DataOf<typeof fundRecords>['list'][number];
export type FundCandle = DataOf<typeof fundNav>[number];
export type FundProof = DataOf<typeof fundProof>;
export const FUND_TABS = ['holding', 'sold', 'liquidated', 'exited'] as const;
export type FundTab = (typeof FUND_TABS)[number];

const KEYS = userKeys('fund');
const CANDLES = 120;
const CANDLES_FRESH_MS = 10_000;
const refetch = () => refetchActive(KEYS.forCurrentUser());

/**
 * Refreshes the user's displayed fund data: all of them, and the balances, with each message of the private
 * feed topic, and the list of funds and the totals also every five seconds, because other users' purchases
 * and prices change them. While the topic is not received, and for visitors, all of the fund data are
 * refetched every five seconds. The refetches every five seconds pause while the page is hidden.
 */
const useUpdates = subscriptionWhileMounted(() => {
  const stops = [
    feed.subscribe('fund', () => {
      refetch();
      refetchBalances();
    }),
    onRefresh(() => {
      if (!signedIn() || !receivesPrivateTopic('fund')) {
        refetch();
        return;
      }
      // The remaining purchase amounts of the funds and the user's totals also change through other users' purchases
      // and through prices, for which the private topic has no message. They are therefore refetched at every interval.
      refetchActive(KEYS.forCurrentUser('funds'));
      refetchActive(KEYS.forCurrentUser('totals'));
    }),
  ];
  return () => stops.forEach((stop) => stop());
});

const useValues = create<FundValuesMessage>(() => ({ t: 0, values: {} }));
/**
 * Store of the last known unit value of each fund by fund ID, as decimal text. If a later message of the feed
 * has no value for the fund, the previous value stays.
 */
const useLatestValues = create<{ readonly values: ReadonlyMap<string, string> }>(() => ({
  values: new Map(),
}));

/** Subscribes to the unit values of all funds, which arrive every second. */
const useLiveValues = subscriptionWhileMounted(() =>
  feed.subscribe('funds', ({ data }) => {
    const message = data as FundValuesMessage;
    useValues.setState(message);
    const knownValues = Object.entries(message.values).filter(([, value]) => value !== null);
    useLatestValues.setState(({ values }) => ({
      values: new Map([...values, ...(knownValues as [string, string][])]),
    }));
  }),
);

/**
 * The latest unit value of each fund by fund ID, updated live. All values belong to the same second, except those of
 * funds that have no value in that second.
 */
export function useLastValues(): ReadonlyMap<string, string> {
  useLiveValues();
  return useLatestValues(({ values }) => values);
}

/**
 * A fund's live unit value; undefined while the live feed reports that the fund has none. Returns `fallback`, an
 * earlier fetched value, until the live feed has delivered a message about the fund.
 */
export function useFundValue(id: string, fallback: string | undefined): string | undefined {
  useLiveValues();
  const live = useValues(({ values }) => values[id]);
  return live === undefined ? fallback : (live ?? undefined);
}

export function useFunds() {
  useUpdates();
  const locale = useLocale();
  return useRead({
    queryKey: KEYS.use('funds', locale),
    queryFn: ({ signal }): Promise<readonly Fund[]> => everyPage((page) => call(fundList, page, { signal })),
  });
}

/** A fund with its documents, in the interface language. */
export function useFund(id: string) {
  useUpdates();
  const locale = useLocale();
  return useRead({
    queryKey: KEYS.use('funds', 'one', id, locale),
    queryFn: ({ signal }) => call(fundDetail, { id }, { signal }),
  });
}

/**
 * The latest `CANDLES` candles of a fund's unit value, refetched every minute while the component is mounted
 * and the page is visible.
 */
export function useFundCandles(id: string, timer: CandleTimer) {
  return useRead({
    queryKey: ['fund', 'candles', id, timer],
    queryFn: ({ signal }) => call(fundNav, { id, timer, size: CANDLES }, { signal }),
    staleTime: CANDLES_FRESH_MS,
    refetchInterval: 60_000,
  });
}

/** The user's fund positions in one tab of the list, newest first, loaded page by page. */
export function useFundRecords(tab: FundTab) {
  useUpdates();
  const locale = useLocale();
  const isSignedIn = useSession(({ session }) => session !== null);
  const status = String(FUND_TABS.indexOf(tab) + 1) as '1' | '2' | '3' | '4';
  return useGrowingList<FundRecord>(
    KEYS.use('records', tab, locale),
    (page, signal) => call(fundRecords, { status, ...page }, { signal }),
    { enabled: isSignedIn },
  );
}

/**
 * Returns the current state of the user's fund position `initial`, or `initial` until the current state has
 * loaded.
 */
export function useFundRecord(initial: FundRecord): FundRecord {
  useUpdates();
  const locale = useLocale();
  const { data = initial } = useRead({
    queryKey: KEYS.use('record', initial.id, locale),
    queryFn: ({ signal }) => call(fundRecordDetail, { id: initial.id }, { signal }),
  });
  return data;
}

/**
 * Returns the totals of the user's open fund positions and pending purchases, in USDT; undefined for visitors
 * and until the totals have loaded.
 */
export function useFundTotals() {
  useUpdates();
  const isSignedIn = useSession(({ session }) => session !== null);
  return useRead({
    queryKey: KEYS.use('totals'),
    queryFn: async ({ signal }) =>
      (await call(fundRecords, { status: '1', pageSize: '1' }, { signal })).totals,
    enabled: isSignedIn,
  }).data;
}

/**
 * Loads the settlement record of a fund position, and the lines of the tape (the recorded index prices) for
 * the second in which the position ended; an open position has no lines.
 */
export async function proofOf(id: string): Promise<{ proof: FundProof; lines: readonly string[] }> {
  const proof = await call(fundProof, { id });
  const { closeSecond } = proof;
  if (closeSecond === undefined) return { proof, lines: [] };
  const at = { from: String(closeSecond), to: String(closeSecond) };
  const lines = await Promise.all(proof.constituents.map(({ symbol }) => call(proofTape, { symbol, ...at })));
  return { proof, lines: lines.flatMap(({ lines }) => lines) };
}

async function withRefetch<Answer>(submission: Promise<Answer>): Promise<Answer> {
  try {
    return await submission;
  } finally {
    refetch();
    refetchBalances();
  }
}

/**
 * Requests a purchase of fund units, with or without leverage, which the server executes at the first unit value after
 * it has accepted the request. `margin` is the maximum amount, in the fund's currency, that the user pays; an
 * unused part is returned. Repeated requests with the same idempotency key buy only once.
 */
export function buy({ payload, clientId }: KeyedSubmission<CallFields<typeof buyFund>>) {
  return withRefetch(retryOnce((timeoutMs) => call(buyFund, payload, { clientId, timeoutMs })));
}

export function sell({ payload, clientId }: KeyedSubmission<CallFields<typeof sellFund>>) {
  return withRefetch(retryOnce((timeoutMs) => call(sellFund, payload, { clientId, timeoutMs })));
}

export function addMargin({ payload, clientId }: KeyedSubmission<CallFields<typeof addFundMargin>>) {
  return withRefetch(retryOnce((timeoutMs) => call(addFundMargin, payload, { clientId, timeoutMs })));
}

/** Cancels a pending order that sells fund units. Its units can then be sold again. */
export function cancelSell(id: string) {
  return withRefetch(call(cancelFundSell, { id }));
}
