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
/**
 * The server divides the recorded order book of a pair into consecutive numbered parts. While the book changes, it
 * stores a part about a minute after the part's beginning, so the newest stored part usually contains the time this
 * many milliseconds ago.
 */
const NEWEST_AGO_MS = 90_000;
/**
 * Interval in milliseconds at which a part of the recording is requested again while the server has not stored it yet.
 */
const RECORDING_POLL_MS = 10_000;
const FILLS_MARKED = 100;

export type Explanation = DataOf<typeof fillExplanation>;
export type PastOrder = DataOf<typeof pastOrders>['list'][number];
type PartAnswer = DataOf<typeof recordedPart>;

/**
 * Selects a part of the recording: by its sequence number, by a time (milliseconds UTC) that the part contains, or
 * without both the newest part.
 */
export interface PartPlace {
  readonly seq?: number | undefined;
  readonly at?: number | undefined;
}

/** One of the consecutive numbered parts of a pair's recorded order book, as the server has published it. */
export interface PublishedPart {
  readonly part: RecordedPart;
  /** The unchanged response of the server, which the stand-alone verification program reads. */
  readonly answer: PartAnswer;
}

/**
 * Query of a part of the recorded order book. `data` is null if the part with the requested number is still
 * being recorded, or if the server has not yet stored a part for the requested time.
 */
export function useRecordedPart(symbol: string, place: PartPlace, isEnabled: boolean) {
  return useRead({
    queryKey: ['replay', symbol, place.seq ?? null, place.at ?? null],
    queryFn: async ({ signal }): Promise<PublishedPart | null> => {
      const answer = await loadPart(symbol, place, signal);
      const { text } = answer;
      return text === undefined ? null : { part: parseRecordedPart(text), answer };
    },
    enabled: isEnabled,
    // A part that the server has stored does not change any more.
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => (state.data === null ? RECORDING_POLL_MS : false),
  });
}

async function loadPart(symbol: string, { seq, at }: PartPlace, signal: AbortSignal): Promise<PartAnswer> {
  if (seq !== undefined) return loadNumbered(symbol, seq, signal);
  return at === undefined ? loadNewest(symbol, signal) : call(recordedPart, { symbol, at }, { signal });
}

/**
 * Loads the part of a pair's recording with the number `seq`. Returns an empty response if that part is still
 * being recorded, and rejects if the server has no such part.
 */
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
  // The parts of a pair without changes are long, so there may be no stored part yet that contains the requested time.
  // The newest stored part, which ended before it, is then loaded instead.
  return answer.text !== undefined || answer.previousUntil === undefined
    ? answer
    : call(recordedPart, { symbol, at: answer.previousUntil - 1 }, { signal });
}

/** The explanation of the price of one of the user's fills; nothing is loaded without an ID and for visitors. */
export function useFillExplanation(id: string | undefined) {
  const isSignedIn = useSession(({ session }) => session !== null);
  const isEnabled = id !== undefined && isSignedIn;
  const read = useRead({
    queryKey: REPLAY.use('fill', id),
    queryFn: ({ signal }) => call(fillExplanation, { id: id! }, { signal }),
    enabled: isEnabled,
    // When the server has stored the part of the recording with the fill, the explanation also contains the
    // part's hash, so it is fetched again if it is older than this.
    staleTime: NEWEST_AGO_MS,
  });
  return { ...read, isEnabled };
}

/** The user's orders and fills in the time of the displayed part of the recording. */
export interface OwnTrading {
  readonly orders: readonly PastOrder[];
  /** Trade IDs of the user's fills, which mark the user's own trades in the replay. */
  readonly trades: ReadonlySet<string>;
  /** True if the user had more orders or fills in this time than are listed here. */
  readonly hasMore: boolean;
}

const NOTHING: OwnTrading = { orders: [], trades: new Set(), hasMore: false };

/**
 * The user's orders and fills on a pair between two times (milliseconds UTC), at most as many as the server returns in
 * one response each (`FILLS_MARKED` fills); empty for visitors and until loaded.
 */
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
