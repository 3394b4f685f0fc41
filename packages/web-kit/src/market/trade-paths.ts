import { paths } from '../paths.ts';
import { linkOf } from './pair.ts';

type Names = { readonly base: string; readonly quote: string };

const FIRST_PAIR: Names = { base: 'BTC', quote: 'USDT' };

/** Returns the path of a pair's trading screen: `/trade?symbol=BTC_USDT`. */
export function tradePath(pair: Names): string {
  return `${paths.trade}?symbol=${linkOf(pair)}`;
}

/**
 * Returns the path that opens a pair on the professional desk: in the desk's first order form, or in its
 * active panel if the desk contains no order form.
 */
export function deskPath(pair: Names): string {
  return `${paths.desk}?symbol=${linkOf(pair)}`;
}

/** Returns the path of the coin information on a pair's trading screen; visitors can open it too. */
export function infoPath(pair: Names): string {
  return `${tradePath(pair)}&view=info`;
}

/** Path of the coin information on the trading screen of the default pair. */
export const DEFAULT_INFO = infoPath(FIRST_PAIR);

/** Path of the trading screen of the default pair with the form for a market order, for a user's first purchase. */
export const FIRST_TRADE = `${tradePath(FIRST_PAIR)}&kind=market`;

/**
 * Returns the path of the replay of a pair; optionally at a time `at` (milliseconds UTC), and with the
 * explanation of the user's fill whose trade ID is `fill`.
 */
export function replayPath(
  pair: Names,
  { at, fill }: { readonly at?: number | undefined; readonly fill?: string | undefined } = {},
): string {
  const parameters = new URLSearchParams({ symbol: linkOf(pair) });
  if (at !== undefined) parameters.set('at', String(at));
  if (fill !== undefined) parameters.set('fill', fill);
  return `${paths.replay}?${parameters.toString()}`;
}
