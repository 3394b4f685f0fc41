import { SECONDS_STATUS, secondsDetail, type SecondsMessage } from '@exchange/wire/seconds.ts';
import { useEffect } from 'react';
import { create } from 'zustand';
import { call, CallFailed } from '../api/client.ts';
import { serverNow } from '../clock.ts';
import { feed, receivesOwn } from '../feed/feed.ts';
import { onRefresh } from '../refresh.ts';
import { onUserChange } from '../session/own-key.ts';
import { useSession } from '../session/session-store.ts';
import type { SecondsOrder } from './queries.ts';

/** As many positions as one person may have open; older results are in the history. */
export const RESULTS_MOST = 20;
/** A message about a position that ended longer ago is about something else, such as a refund of its loss. */
const JUST_ENDED_MS = 60_000;
/** How long a row of the history shines. */
export const SHINE_MS = 1_600;

interface Results {
  /** Positions that ended while this page was open and whose result was not closed yet; newest first. */
  readonly shown: readonly SecondsOrder[];
  /** Ids of results that the history has not shown yet. */
  readonly unseen: ReadonlySet<string>;
}

const NONE: Results = { shown: [], unseen: new Set() };
const useStore = create<Results>(() => NONE);

/**
 * When the open positions that this page knows of expire (milliseconds UTC; 0: not known), by id. Their ends are looked up
 * where the feed did not bring them.
 */
const watched = new Map<string, number>();

/** The results to show, newest first. */
export function useResults(): readonly SecondsOrder[] {
  return useStore(({ shown }) => shown);
}

/** Ids of results that the history has not shown yet. They count as seen once the history was on screen for a moment. */
export function useUnseenResults(): ReadonlySet<string> {
  const unseen = useStore((state) => state.unseen);
  useEffect(() => {
    if (unseen.size === 0) return undefined;
    const timer = setTimeout(() => useStore.setState({ unseen: new Set() }), SHINE_MS);
    return () => clearTimeout(timer);
  }, [unseen]);
  return unseen;
}

/** Closes one result, or all of them. */
export function closeResult(id?: string): void {
  useStore.setState(({ shown }) => ({
    shown: id === undefined ? [] : shown.filter((order) => order.id !== id),
  }));
}

/** Watches open positions, so that their results are shown even if the connection is lost when they end. */
export function watchPositions(orders: readonly Pick<SecondsOrder, 'id' | 'expireTime'>[]): void {
  for (const { id, expireTime } of orders) watched.set(id, expireTime);
}

/**
 * Follows the signed-in person's positions and keeps the results of those that end from now on. What ended before this
 * began is in the history and the inbox. Returns the way to stop, which forgets everything.
 */
export function followResults(): () => void {
  const stops = [
    feed.subscribe('contract', ({ type, data }) => {
      // A snapshot follows each connection: what ended while there was none is looked up.
      if (type === 'snapshot') void lookUpWatched();
      else for (const change of data as SecondsMessage) follow(change);
    }),
    onRefresh(() => {
      if (!receivesOwn('contract')) void lookUpWatched();
    }),
    onUserChange(forget),
  ];
  return () => {
    for (const stop of stops) stop();
    forget();
  };
}

function signedInUser(): string | undefined {
  return useSession.getState().session?.userId;
}

function forget(): void {
  watched.clear();
  useStore.setState(NONE);
}

function follow({ id, status }: SecondsMessage[number]): void {
  if (status === SECONDS_STATUS.holding) watched.set(id, watched.get(id) ?? 0);
  else void lookUp(id, serverNow() - JUST_ENDED_MS);
}

async function lookUpWatched(): Promise<void> {
  for (const [id, expireTime] of watched) if (expireTime <= serverNow()) await lookUp(id, 0);
}

/** Fetches a position and shows its result if it ended after `since` (milliseconds UTC). */
async function lookUp(id: string, since: number): Promise<void> {
  const userId = signedInUser();
  if (userId === undefined) return;
  try {
    const order = await call(secondsDetail, { id });
    if (userId !== signedInUser()) return;
    if (order.result === undefined) {
      watched.set(id, order.expireTime);
      return;
    }
    watched.delete(id);
    if ((order.finishTime ?? 0) >= since && order.refund === undefined) show(order);
  } catch (error) {
    // Reason: the next snapshot looks again where the network is gone; the history and the inbox have the result anyway.
    if (error instanceof CallFailed && userId === signedInUser()) watched.set(id, 0);
    else watched.delete(id);
  }
}

function show(order: SecondsOrder): void {
  useStore.setState(({ shown, unseen }) => {
    if (shown.some(({ id }) => id === order.id) || unseen.has(order.id)) return {};
    return {
      shown: [order, ...shown].slice(0, RESULTS_MOST),
      unseen: new Set([...unseen, order.id].slice(-RESULTS_MOST)),
    };
  });
}
