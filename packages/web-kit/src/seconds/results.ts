import { SECONDS_STATUS, secondsDetail, type SecondsMessage } from '@exchange/wire/seconds.ts';
import { useEffect } from 'react';
import { create } from 'zustand';
import { call, CallFailed } from '../api/client.ts';
import { serverNow } from '../clock.ts';
import { feed, receivesPrivateTopic } from '../feed/feed.ts';
import { onRefresh } from '../refresh.ts';
import { onUserChange } from '../session/user-keys.ts';
import { useSession } from '../session/session-store.ts';
import type { SecondsOrder } from './queries.ts';

/**
 * Maximum number of displayed results, equal to that of open positions per user; older results are only in
 * the history.
 */
export const RESULTS_MAX = 20;
/**
 * A message about a position that ended more than this many milliseconds ago concerns another event, such as
 * a refund.
 */
const JUST_ENDED_MS = 60_000;
/** Milliseconds for which a new row of the history is highlighted. */
export const HIGHLIGHT_MS = 1_600;

interface Results {
  /**
   * Positions in the seconds contract that ended while this page was open and have not been dismissed, newest
   * first.
   */
  readonly shown: readonly SecondsOrder[];
  /** Ids of positions whose results have not been displayed in the history yet. */
  readonly unseen: ReadonlySet<string>;
}

const NONE: Results = { shown: [], unseen: new Set() };
const useStore = create<Results>(() => NONE);

/**
 * Expiry (milliseconds UTC, 0 when unknown) of the known open positions, by id. Results that the feed did not
 * deliver are fetched.
 */
const expiryById = new Map<string, number>();

/** The results of ended positions to display, newest first. */
export function useResults(): readonly SecondsOrder[] {
  return useStore(({ shown }) => shown);
}

/**
 * Ids of positions whose results have not been displayed in the history. They count as seen shortly after the
 * history appears on screen.
 */
export function useUndisplayedResults(): ReadonlySet<string> {
  const unseen = useStore((state) => state.unseen);
  useEffect(() => {
    if (unseen.size === 0) return undefined;
    const timer = setTimeout(() => useStore.setState({ unseen: new Set() }), HIGHLIGHT_MS);
    return () => clearTimeout(timer);
  }, [unseen]);
  return unseen;
}

export function closeResult(id?: string): void {
  useStore.setState(({ shown }) => ({
    shown: id === undefined ? [] : shown.filter((order) => order.id !== id),
  }));
}

/**
 * Registers open positions of the seconds contract, so that their results are shown even when the connection
 * is lost at expiry.
 */
export function watchPositions(orders: readonly Pick<SecondsOrder, 'id' | 'expireTime'>[]): void {
  for (const { id, expireTime } of orders) expiryById.set(id, expireTime);
}

/**
 * Follows the signed-in user's positions and collects the results of those that end from now on; earlier
 * results are in the history and the inbox. Returns a function that stops and clears all state.
 */
export function followResults(): () => void {
  const stops = [
    feed.subscribe('contract', ({ type, data }) => {
      // Each feed connection starts with a snapshot; positions that ended while offline are then fetched.
      if (type === 'snapshot') void fetchWatched();
      else for (const change of data as SecondsMessage) applyChange(change);
    }),
    onRefresh(() => {
      if (!receivesPrivateTopic('contract')) void fetchWatched();
    }),
    onUserChange(clearResults),
  ];
  return () => {
    for (const stop of stops) stop();
    clearResults();
  };
}

function signedInUser(): string | undefined {
  return useSession.getState().session?.userId;
}

function clearResults(): void {
  expiryById.clear();
  useStore.setState(NONE);
}

function applyChange({ id, status }: SecondsMessage[number]): void {
  if (status === SECONDS_STATUS.holding) expiryById.set(id, expiryById.get(id) ?? 0);
  else void fetchResult(id, serverNow() - JUST_ENDED_MS);
}

async function fetchWatched(): Promise<void> {
  for (const [id, expireTime] of expiryById) if (expireTime <= serverNow()) await fetchResult(id, 0);
}

/** Fetches a position and shows its result if it ended after `since` (milliseconds UTC) and was not refunded. */
async function fetchResult(id: string, since: number): Promise<void> {
  const userId = signedInUser();
  if (userId === undefined) return;
  try {
    const order = await call(secondsDetail, { id });
    if (userId !== signedInUser()) return;
    if (order.result === undefined) {
      expiryById.set(id, order.expireTime);
      return;
    }
    expiryById.delete(id);
    if ((order.finishTime ?? 0) >= since && order.refund === undefined) showResult(order);
  } catch (error) {
    // After a network failure the next snapshot or refresh retries; history and inbox contain the result anyway.
    if (error instanceof CallFailed && userId === signedInUser()) expiryById.set(id, 0);
    else expiryById.delete(id);
  }
}

function showResult(order: SecondsOrder): void {
  useStore.setState(({ shown, unseen }) => {
    if (shown.some(({ id }) => id === order.id) || unseen.has(order.id)) return {};
    return {
      shown: [order, ...shown].slice(0, RESULTS_MAX),
      unseen: new Set([...unseen, order.id].slice(-RESULTS_MAX)),
    };
  });
}
