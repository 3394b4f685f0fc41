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
import { call, onceMore, type CallFields } from '../api/client.ts';
import { everyPage } from '../api/every-page.ts';
import { useGrowingList } from '../api/list-state.tsx';
import { askAnew, useRead } from '../api/query-client.ts';
import { askForBalances } from '../balance/balances.ts';
import { feed, receivesOwn } from '../feed/feed.ts';
import { joinedWhileShown } from '../feed/while-shown.ts';
import type { Attempt } from '../form/keyed-attempts.ts';
import { useLocale } from '../i18n/words.ts';
import { onRefresh } from '../refresh.ts';
import { ownKeys } from '../session/own-key.ts';
import { signedIn, useSession } from '../session/session-store.ts';

export type Fund = DataOf<typeof fundList>['list'][number];
export type FundDetail = DataOf<typeof fundDetail>;
export type FundTotals = DataOf<typeof fundRecords>['totals'];
export type FundRecord = DataOf<typeof fundRecords>['list'][number];
export type FundCandle = DataOf<typeof fundNav>[number];
export type FundProof = DataOf<typeof fundProof>;
export const FUND_TABS = ['holding', 'sold', 'liquidated', 'exited'] as const;
export type FundTab = (typeof FUND_TABS)[number];

const KEYS = ownKeys('fund');
const CANDLES = 120;
const CANDLES_FRESH_MS = 10_000;
const ask = () => askAnew(KEYS.now());

/** Keeps what is shown in step with the private feed; what others do is asked for with every heartbeat. */
const useUpdates = joinedWhileShown(() => {
  const stops = [
    feed.subscribe('fund', () => {
      ask();
      askForBalances();
    }),
    onRefresh(() => {
      if (!signedIn() || !receivesOwn('fund')) {
        ask();
        return;
      }
      // What all that is held comes to moves with every price, of which no message tells.
      askAnew(KEYS.now('funds'));
      askAnew(KEYS.now('totals'));
    }),
  ];
  return () => stops.forEach((stop) => stop());
});

const useValues = create<FundValuesMessage>(() => ({ t: 0, values: {} }));
/** The latest value of each fund, also while there is none in this second. */
const useLatest = create<{ readonly values: ReadonlyMap<string, string> }>(() => ({ values: new Map() }));

/** Follows the unit values of each second. */
const useLiveValues = joinedWhileShown(() =>
  feed.subscribe('funds', ({ data }) => {
    const message = data as FundValuesMessage;
    useValues.setState(message);
    const known = Object.entries(message.values).filter(([, value]) => value !== null);
    useLatest.setState(({ values }) => ({ values: new Map([...values, ...(known as [string, string][])]) }));
  }),
);

/** The latest unit value of each fund by its id, of one and the same second where all have one; live. */
export function useLastValues(): ReadonlyMap<string, string> {
  useLiveValues();
  return useLatest(({ values }) => values);
}

/** A fund's unit value as it is now, or as it was when it was asked for; undefined while there is none. */
export function useFundValue(id: string, known: string | undefined): string | undefined {
  useLiveValues();
  const live = useValues(({ values }) => values[id]);
  return live === undefined ? known : (live ?? undefined);
}

export function useFunds() {
  useUpdates();
  const locale = useLocale();
  return useRead({
    queryKey: KEYS.use('funds', locale),
    queryFn: ({ signal }): Promise<readonly Fund[]> => everyPage((page) => call(fundList, page, { signal })),
  });
}

/** A fund with its documents. */
export function useFund(id: string) {
  useUpdates();
  const locale = useLocale();
  return useRead({
    queryKey: KEYS.use('funds', 'one', id, locale),
    queryFn: ({ signal }) => call(fundDetail, { id }, { signal }),
  });
}

/** The latest candles of a fund's unit value. */
export function useFundCandles(id: string, timer: CandleTimer) {
  return useRead({
    queryKey: ['fund', 'candles', id, timer],
    queryFn: ({ signal }) => call(fundNav, { id, timer, size: CANDLES }, { signal }),
    staleTime: CANDLES_FRESH_MS,
    refetchInterval: 60_000,
  });
}

/** The own holdings of one kind, newest first, page by page. */
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

/** One of the own holdings as it is now; `known` until the answer is there. */
export function useFundRecord(known: FundRecord): FundRecord {
  useUpdates();
  const locale = useLocale();
  const { data = known } = useRead({
    queryKey: KEYS.use('record', known.id, locale),
    queryFn: ({ signal }) => call(fundRecordDetail, { id: known.id }, { signal }),
  });
  return data;
}

/** What all that is held comes to, in USDT. */
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

/** What a holding ended by, and the lines of the tape of that second. */
export async function proofOf(id: string): Promise<{ proof: FundProof; lines: readonly string[] }> {
  const proof = await call(fundProof, { id });
  const { closeSecond } = proof;
  if (closeSecond === undefined) return { proof, lines: [] };
  const at = { from: String(closeSecond), to: String(closeSecond) };
  const found = await Promise.all(proof.constituents.map(({ symbol }) => call(proofTape, { symbol, ...at })));
  return { proof, lines: found.flatMap(({ lines }) => lines) };
}

async function asked<Answer>(deed: Promise<Answer>): Promise<Answer> {
  try {
    return await deed;
  } finally {
    ask();
    askForBalances();
  }
}

/** Buys units with a margin; the same attempt sent again is the same purchase. */
export function buy({ payload, clientId }: Attempt<CallFields<typeof buyFund>>) {
  return asked(onceMore((timeoutMs) => call(buyFund, payload, { clientId, timeoutMs })));
}

export function sell({ payload, clientId }: Attempt<CallFields<typeof sellFund>>) {
  return asked(onceMore((timeoutMs) => call(sellFund, payload, { clientId, timeoutMs })));
}

export function addMargin({ payload, clientId }: Attempt<CallFields<typeof addFundMargin>>) {
  return asked(onceMore((timeoutMs) => call(addFundMargin, payload, { clientId, timeoutMs })));
}

/** Takes back an order to sell. */
export function cancelSell(id: string) {
  return asked(call(cancelFundSell, { id }));
}
