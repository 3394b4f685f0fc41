import { SESSION_ENDED } from '@exchange/wire/codes.ts';
import { addFavorite, favoriteList, removeFavorite } from '@exchange/wire/watchlist.ts';
import { create } from 'zustand';
import { CallFailed, CallRefused, call } from '../api/client.ts';
import { isWorthRepeating, queryClient, useRead } from '../api/query-client.ts';
import { labelText } from '../i18n/words.ts';
import { ownKeys } from '../session/own-key.ts';
import { useSession } from '../session/session-store.ts';
import { recall, remember } from '../storage.ts';
import { toast } from '../ui/toast.tsx';

const KEY = 'favorite-pairs';
const FAVORITES = ownKeys('favorites');
const NONE: ReadonlySet<string> = new Set();

interface Favorites {
  /** In the order in which they were added. */
  readonly symbols: ReadonlySet<string>;
  readonly has: (symbol: string) => boolean;
  readonly toggle: (symbol: string) => void;
}

/** The stars that a visitor has set on this device; they go into the account at the next sign-in. */
const useDeviceFavorites = create<{ readonly symbols: ReadonlySet<string> }>(() => ({ symbols: stored() }));

/**
 * The pairs marked with a star: a visitor's on this device, a signed-in user's in the account. Give it the
 * part that is needed: `useFavorites((favorites) => favorites.symbols)`.
 */
export function useFavorites<Part>(part: (favorites: Favorites) => Part): Part {
  const userId = useSession(({ session }) => session?.userId);
  const onDevice = useDeviceFavorites(({ symbols }) => symbols);
  const inAccount = useRead({
    queryKey: FAVORITES.use(),
    queryFn: () => (userId === undefined ? NONE : accountFavorites(userId)),
    enabled: userId !== undefined,
    staleTime: 60_000,
  });
  const symbols = userId === undefined ? onDevice : (inAccount.data ?? NONE);
  return part({ symbols, has: (symbol) => symbols.has(symbol), toggle: toggleFavorite });
}

/** Sets or takes a star: at once on screen, put back with a notice when the server refuses. */
function toggleFavorite(symbol: string): void {
  const userId = useSession.getState().session?.userId;
  if (userId === undefined) keepOnDevice(toggled(useDeviceFavorites.getState().symbols, symbol));
  else void toggleInAccount(userId, symbol);
}

/** Changes on their way, one after the other: two quick clicks on a star must not overtake each other. */
let lane: Promise<unknown> = Promise.resolve();
let underWay = 0;

async function toggleInAccount(userId: string, symbol: string): Promise<void> {
  const key = FAVORITES.now();
  // An answer that was asked for before this click would undo it.
  await queryClient.cancelQueries({ queryKey: key });
  const before = queryClient.getQueryData<ReadonlySet<string>>(key) ?? NONE;
  queryClient.setQueryData(key, toggled(before, symbol));
  underWay += 1;
  const sent = lane.then(() => {
    requireStillSignedIn(userId);
    return call(before.has(symbol) ? removeFavorite : addFavorite, { symbol });
  });
  lane = sent.catch(() => undefined);
  try {
    const { symbols } = await sent;
    underWay -= 1;
    if (underWay === 0) queryClient.setQueryData(key, new Set(symbols));
  } catch (error) {
    // Reason: refused, or no answer came; either way the star is not known to be where it was put.
    underWay -= 1;
    queryClient.setQueryData(key, (shown: ReadonlySet<string> = NONE) => toggled(shown, symbol));
    toast('error', labelText(sentenceOf(error)));
    if (underWay === 0) void queryClient.invalidateQueries({ queryKey: key });
  }
}

/** The account's favourites, after those that were set on this device before signing in have joined them. */
async function accountFavorites(userId: string): Promise<ReadonlySet<string>> {
  const symbols = new Set((await call(favoriteList)).symbols);
  for (const symbol of useDeviceFavorites.getState().symbols) {
    requireStillSignedIn(userId);
    if (!symbols.has(symbol) && (await isTaken(symbol))) symbols.add(symbol);
    keepOnDevice(without(useDeviceFavorites.getState().symbols, symbol));
  }
  return symbols;
}

/** Whether the account took a star; it does not when it is full or the pair is no longer traded. */
async function isTaken(symbol: string): Promise<boolean> {
  try {
    await call(addFavorite, { symbol });
    return true;
  } catch (error) {
    // Reason: a refusal is final for this star. What passes by itself is not, so the whole is asked for again.
    const isFinal = error instanceof CallRefused && error.code !== SESSION_ENDED;
    if (!isFinal || isWorthRepeating(0, error)) throw error;
    return false;
  }
}

/** Calls carry the token of the moment: a change that waited must not reach the account of whoever came next. */
function requireStillSignedIn(userId: string): void {
  if (useSession.getState().session?.userId !== userId) throw new CallFailed('answer', 'l.session_ended');
}

function keepOnDevice(symbols: ReadonlySet<string>): void {
  remember(KEY, symbols.size === 0 ? null : [...symbols].join(','));
  useDeviceFavorites.setState({ symbols });
}

function toggled(symbols: ReadonlySet<string>, symbol: string): ReadonlySet<string> {
  return symbols.has(symbol) ? without(symbols, symbol) : new Set([...symbols, symbol]);
}

function without(symbols: ReadonlySet<string>, symbol: string): ReadonlySet<string> {
  return new Set([...symbols].filter((other) => other !== symbol));
}

function sentenceOf(error: unknown): string {
  return error instanceof CallRefused || error instanceof CallFailed ? error.message : 'l.error';
}

function stored(): ReadonlySet<string> {
  return new Set((recall(KEY) ?? '').split(',').filter((symbol) => symbol !== ''));
}
