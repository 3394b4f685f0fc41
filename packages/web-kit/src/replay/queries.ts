import { parseRecordedPart, type RecordedPart } from '@exchange/core/recorded-book.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import { fillExplanation, pastOrders } from '@exchange/wire/fill-explanation.ts';
import { recordedPart } from '@exchange/wire/recorded-book.ts';
import { fillRecords } from '@exchange/wire/spot.ts';
import { call, CallRefused } from '../api/client.ts';
import { useRead } from '../api/query-client.ts';
import { serverNow } from '../clock.ts';
import type { MarketPair } from '../market/pair.ts';
import { useSession } from '../session/session-store.ts';
import { userKeys } from '../session/user-keys.ts';

const REPLAY = userKeys('replay');
/** A part is stored about a minute after its beginning, so this time is usually in the newest one. */
const NEWEST_AGO_MS = 90_000;
/** While the requested time is still being recorded, its part is requested again at this interval. */
const RECORDING_POLL_MS = 10_000;
const FILLS_MARKED = 100;

export type Explanation = DataOf<typeof fillExplanation>;
export type PastOrder = DataOf<typeof pastOrders>['list'][number];
type PartAnswer = DataOf<typeof recordedPart>;

/** The requested part: by its number, by a time in milliseconds UTC, or the newest one. */
export interface PartPlace {
  readonly seq?: number | undefined;
  readonly at?: number | undefined;
}

/** A part of the recorded book as it was published. */
export interface PublishedPart {
  readonly part: RecordedPart;
  /** The answer of the server, which the stand-alone verifier checks. */
  readonly answer: PartAnswer;
}

/** A part; `data` is null while nothing is recorded at the requested time or after it. */
export function useRecordedPart(symbol: string, place: PartPlace, isEnabled: boolean) {
  return useRead({
    queryKey: ['replay', symbol, place.seq ?? null, place.at ?? null],
    queryFn: async ({ signal }): Promise<PublishedPart | null> => {
      const answer = await loadPart(symbol, place, signal);
      const { text } = answer;
      return text === undefined ? null : { part: parseRecordedPart(text), answer };
    },
    enabled: isEnabled,
    // A stored part never changes.
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.data === null ? RECORDING_POLL_MS : false),
  });
}

async function loadPart(symbol: string, { seq, at }: PartPlace, signal: AbortSignal): Promise<PartAnswer> {
  if (seq !== undefined) return loadNumbered(symbol, seq, signal);
  return at === undefined ? loadNewest(symbol, signal) : call(recordedPart, { symbol, at }, { signal });
}

/** The part with a number; an answer without a part for the one that is being recorded. */
async function loadNumbered(symbol: string, seq: number, signal: AbortSignal): Promise<PartAnswer> {
  try {
    return await call(recordedPart, { symbol, seq }, { signal });
  } catch (cause) {
    if (!(cause instanceof CallRefused) || !cause.isMissing) throw cause;
    const newest = await loadNewest(symbol, signal);
    if (newest.part?.seq === seq - 1) return {};
    throw cause;
  }
}

async function loadNewest(symbol: string, signal: AbortSignal): Promise<PartAnswer> {
  const answer = await call(recordedPart, { symbol, at: serverNow() - NEWEST_AGO_MS }, { signal });
  // A pair without changes has long parts, so the newest one may have ended earlier.
  return answer.text !== undefined || answer.previousUntil === undefined
    ? answer
    : call(recordedPart, { symbol, at: answer.previousUntil - 1 }, { signal });
}

/** Why one of the user's fills has its price; not loaded without an id and for visitors. */
export function useFillExplanation(id: string | undefined) {
  const isSignedIn = useSession(({ session }) => session !== null);
  const isEnabled = id !== undefined && isSignedIn;
  const read = useRead({
    queryKey: REPLAY.use('fill', id),
    queryFn: ({ signal }) => call(fillExplanation, { id: id! }, { signal }),
    enabled: isEnabled,
    // Its part is stored later, and then it has a hash.
    staleTime: NEWEST_AGO_MS,
  });
  return { ...read, isEnabled };
}

/** The user's orders and fills during a part. */
export interface OwnTrading {
  readonly orders: readonly PastOrder[];
  /** Ids of the user's trades. */
  readonly trades: ReadonlySet<string>;
  /** Whether there were more than these. */
  readonly hasMore: boolean;
}

const NOTHING: OwnTrading = { orders: [], trades: new Set(), hasMore: false };

/** The user's orders and fills on a pair between two times in milliseconds UTC; nothing for visitors. */
export function useOwnTrading(pair: MarketPair, from: number, until: number): OwnTrading {
  const isSignedIn = useSession(({ session }) => session !== null);
  const { data } = useRead({
    queryKey: REPLAY.use('own', pair.symbol, from, until),
    queryFn: async ({ signal }) => {
      const fields = { baseCoin: pair.base, quoteCoin: pair.quote, startTime: from, endTime: until };
      const [orders, fills] = await Promise.all([
        call(pastOrders, fields, { signal }),
        call(fillRecords, { ...fields, pageSize: FILLS_MARKED }, { signal }),
      ]);
      return {
        orders: orders.list,
        trades: new Set(fills.list.map(({ tradeId }) => tradeId)),
        hasMore: orders.hasMore || fills.totalRow > fills.list.length,
      };
    },
    enabled: isSignedIn,
  });
  return data ?? NOTHING;
}
