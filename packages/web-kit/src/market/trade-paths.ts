import { paths } from '../paths.ts';
import { linkOf } from './pair.ts';

type Names = { readonly base: string; readonly quote: string };

const FIRST_PAIR: Names = { base: 'BTC', quote: 'USDT' };

/** The trading screen of a pair, as links everywhere name it: `/trade?symbol=BTC_USDT`. */
export function tradePath(pair: Names): string {
  return `${paths.trade}?symbol=${linkOf(pair)}`;
}

/** The facts about a pair's coins: a view of its trading screen, so that visitors may read them. */
export function infoPath(pair: Names): string {
  return `${tradePath(pair)}&view=info`;
}

/** The facts about the pair that the trading screen begins with. */
export const DEFAULT_INFO = infoPath(FIRST_PAIR);

/** The order form for a first purchase: at market, by what it costs. */
export const FIRST_TRADE = `${tradePath(FIRST_PAIR)}&kind=market`;
