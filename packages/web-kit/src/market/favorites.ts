import { SESSION_ENDED } from '@exchange/wire/codes.ts';
import { addFavorite, favoriteList, removeFavorite } from '@exchange/wire/watchlist.ts';
import { create } from 'zustand';
import { CallFailed, CallRefused, call } from '../api/client.ts';
import { shouldRetry, queryClient, useRead } from '../api/query-client.ts';
import { labelText } from '../i18n/words.ts';
import { userKeys } from '../session/user-keys.ts';
import { useSession } from '../session/session-store.ts';
import { readStored, store } from '../storage.ts';
import { toast } from '../ui/toast.tsx';

const KEY = 'favorite-pairs';
const FAVORITES = userKeys('favorites');
const NONE: ReadonlySet<string> = new Set();

interface Favorites {
  /**
   * Symbols of the favourite pairs in the order in which they were added; for a visitor those stored on the
   * device, for a user those of the account, empty until loaded.
   */
  readonly symbols: ReadonlySet<string>;
  readonly has: (symbol: string) => boolean;
  readonly toggle: (symbol: string) => void;
}

/** The favourite pairs of a visitor, stored on this device; at the next sign-in they are added to the account. */
const useDeviceFavorites = create<{ readonly symbols: ReadonlySet<string> }>(() => ({
  symbols: storedSymbols(),
}));

/**
 * The favourite pairs of the current user, stored in the account and empty until loaded; for visitors those stored on
 * this device. `select` returns the needed part: `useFavorites((favorites) => favorites.symbols)`.
 */
export function useFavorites<Part>(select: (favorites: Favorites) => Part): Part {
  const userId = useSession(({ session }) => session?.userId);
  const onDevice = useDeviceFavorites(({ symbols }) => symbols);
  const inAccount = useRead({
    queryKey: FAVORITES.use(),
    queryFn: () => (userId === undefined ? NONE : accountFavorites(userId)),
    enabled: userId !== undefined,
    staleTime: 60_000,
  });
  const symbols = userId === undefined ? onDevice : (inAccount.data ?? NONE);
  return select({ symbols, has: (symbol) => symbols.has(symbol), toggle: toggleFavorite });
}

/**
 * Adds or removes a favourite pair; for visitors, on this device only. The screen changes at once; if the server
 * refuses a user's change or does not answer, the change is reverted and a notification is shown.
 */
function toggleFavorite(symbol: string): void {
  const userId = useSession.getState().session?.userId;
  if (userId === undefined) storeOnDevice(withToggled(useDeviceFavorites.getState().symbols, symbol));
  else void toggleInAccount(userId, symbol);
}

/**
 * The newest change of favourites. Each change is sent after the previous one was answered, so that two quick clicks
 * cannot reach the server in the wrong order.
 */
let lastChange: Promise<unknown> = Promise.resolve();
let pendingChanges = 0;

async function toggleInAccount(userId: string, symbol: string): Promise<void> {
  const key = FAVORITES.forCurrentUser();
  // Cancels a running request for the favourites, whose response would overwrite this change.
  await queryClient.cancelQueries({ queryKey: key });
  const previous = queryClient.getQueryData<ReadonlySet<string>>(key) ?? NONE;
  queryClient.setQueryData(key, withToggled(previous, symbol));
  pendingChanges += 1;
  const response = lastChange.then(() => {
    requireStillSignedIn(userId);
    return call(previous.has(symbol) ? removeFavorite : addFavorite, { symbol });
  });
  lastChange = response.catch(() => undefined);
  try {
    const { symbols } = await response;
    pendingChanges -= 1;
    if (pendingChanges === 0) queryClient.setQueryData(key, new Set(symbols));
  } catch (error) {
    // The server has refused the change or not answered, so it may not be stored; it is reverted on screen.
    pendingChanges -= 1;
    queryClient.setQueryData(key, (symbols: ReadonlySet<string> = NONE) => withToggled(symbols, symbol));
    toast('error', labelText(sentenceOf(error)));
    if (pendingChanges === 0) void queryClient.invalidateQueries({ queryKey: key });
  }
}

/**
 * Adds the favourite pairs that were stored on this device before the sign-in to the account, removes them
 * from the device (also those that the server refuses permanently), and returns the account's favourite
 * pairs.
 */
async function accountFavorites(userId: string): Promise<ReadonlySet<string>> {
  const symbols = new Set((await call(favoriteList)).symbols);
  for (const symbol of useDeviceFavorites.getState().symbols) {
    requireStillSignedIn(userId);
    if (!symbols.has(symbol) && (await addToAccount(symbol))) symbols.add(symbol);
    storeOnDevice(without(useDeviceFavorites.getState().symbols, symbol));
  }
  return symbols;
}

/**
 * Adds a favourite pair to the account and resolves to true. Resolves to false if the server refuses the pair
 * permanently, for example because the account's list is full; rejects on every other failure.
 */
async function addToAccount(symbol: string): Promise<boolean> {
  try {
    await call(addFavorite, { symbol });
    return true;
  } catch (error) {
    // A permanent refusal concerns this pair only, so the other pairs of the device are still added to the
    // account. Any other failure makes the query for the account's favourites fail; when the query is
    // repeated, it adds the remaining pairs.
    const isFinal = error instanceof CallRefused && error.code !== SESSION_ENDED;
    if (!isFinal || shouldRetry(0, error)) throw error;
    return false;
  }
}

/**
 * Throws when the user has signed out or another user has signed in: a request would use the current session, and a
 * delayed change must not reach another account.
 */
function requireStillSignedIn(userId: string): void {
  if (useSession.getState().session?.userId !== userId) throw new CallFailed('answer', 'l.session_ended');
}

function storeOnDevice(symbols: ReadonlySet<string>): void {
  store(KEY, symbols.size === 0 ? null : [...symbols].join(','));
  useDeviceFavorites.setState({ symbols });
}

function withToggled(symbols: ReadonlySet<string>, symbol: string): ReadonlySet<string> {
  return symbols.has(symbol) ? without(symbols, symbol) : new Set([...symbols, symbol]);
}

function without(symbols: ReadonlySet<string>, symbol: string): ReadonlySet<string> {
  return new Set([...symbols].filter((favorite) => favorite !== symbol));
}

function sentenceOf(error: unknown): string {
  return error instanceof CallRefused || error instanceof CallFailed ? error.message : 'l.error';
}

function storedSymbols(): ReadonlySet<string> {
  return new Set((readStored(KEY) ?? '').split(',').filter((symbol) => symbol !== ''));
}
