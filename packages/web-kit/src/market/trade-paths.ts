import { paths } from '../paths.ts';
import { linkOf } from './pair.ts';

type Names = { readonly base: string; readonly quote: string };

const FIRST_PAIR: Names = { base: 'BTC', quote: 'USDT' };

/** Path of a pair's trading screen: `/trade?symbol=BTC_USDT`. */
export function tradePath(pair: Names): string {
  return `${paths.trade}?symbol=${linkOf(pair)}`;
}

/** Path of the coin information view of a pair's trading screen, which visitors can read. */
export function infoPath(pair: Names): string {
  return `${tradePath(pair)}&view=info`;
}

/** Path of the coin information of the default pair. */
export const DEFAULT_INFO = infoPath(FIRST_PAIR);

/** Path of the order form for a first purchase: a market order. */
export const FIRST_TRADE = `${tradePath(FIRST_PAIR)}&kind=market`;

/** Path of the replay of a pair: at a time in milliseconds UTC, and with the reason of one of the user's fills. */
export function replayPath(
  pair: Names,
  { at, fill }: { readonly at?: number | undefined; readonly fill?: string | undefined } = {},
): string {
  const parameters = new URLSearchParams({ symbol: linkOf(pair) });
  if (at !== undefined) parameters.set('at', String(at));
  if (fill !== undefined) parameters.set('fill', fill);
  return `${paths.replay}?${parameters.toString()}`;
}
