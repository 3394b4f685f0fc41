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
 * Maximum number of displayed results, equal to the maximum number of open positions per user; the history contains the
 * older results.
 */
export const RESULTS_MAX = 20;
/**
 * Milliseconds after its end within which a feed message about a position shows the position's result. A later message
 * has another cause, such as a refund.
 */
const JUST_ENDED_MS = 60_000;
/** Milliseconds for which a new row of the history of closed positions is highlighted. */
export const HIGHLIGHT_MS = 1_600;

interface Results {
  /**
   * Positions in the seconds contract that ended while this page was open and whose results the user has not dismissed,
   * newest first.
   */
  readonly shown: readonly SecondsOrder[];
  /** IDs of positions whose results the history has not displayed yet. */
  readonly unseen: ReadonlySet<string>;
}

const NONE: Results = { shown: [], unseen: new Set() };
const useStore = create<Results>(() => NONE);

/**
 * By position ID: the expiry of each known open position in milliseconds UTC, 0 when unknown. After the expiry, the
 * result is fetched if the feed has not delivered it.
 */
const expiryById = new Map<string, number>();

/** The results of ended positions that are displayed, newest first. */
export function useResults(): readonly SecondsOrder[] {
  return useStore(({ shown }) => shown);
}

/**
 * IDs of the positions whose results the history has not displayed yet. A result counts as displayed after a component
 * with this hook has shown it for `HIGHLIGHT_MS`.
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
 * Registers open positions of the seconds contract, so that their results are shown even if the connection is
 * interrupted when they expire.
 */
export function watchPositions(orders: readonly Pick<SecondsOrder, 'id' | 'expireTime'>[]): void {
  for (const { id, expireTime } of orders) expiryById.set(id, expireTime);
}

/**
 * Collects the results of the signed-in user's positions that end after this call; earlier results are only in the
 * history and the inbox. Returns a function that stops the collection and deletes the collected results.
 */
export function followResults(): () => void {
  const stops = [
    feed.subscribe('contract', ({ type, data }) => {
      // Each feed connection begins with a snapshot; the results of positions that expired while the feed was
      // interrupted are then fetched.
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

/**
 * Fetches a position. If it ended at `since` (milliseconds UTC) or later and was not refunded, shows its result; if it
 * is still open, registers its expiry.
 */
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
    // After a network failure, the next snapshot of the feed or the next refresh fetches the position's
    // result again. After a refusal the result is not shown as a card; only the history and the inbox contain
    // it.
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
