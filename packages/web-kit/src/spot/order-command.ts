import type { Side } from '@exchange/core/pair.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import type { MarketPair } from '../market/pair.ts';

/** An order that was typed as one line of text, such as `buy 0.1 btc 60000`. */
export interface OrderCommand {
  readonly pair: Pick<MarketPair, 'symbol' | 'base' | 'quote'>;
  readonly side: Side;
  /** A limit order if a price was typed, otherwise a market order. */
  readonly kind: 'limit' | 'market';
  /** Whether `size` is an amount in the base coin or a total in the quote coin. */
  readonly by: 'amount' | 'total';
  /** A positive decimal number. */
  readonly size: string;
  /** Limit price in the quote coin; undefined for a market order. */
  readonly price: string | undefined;
}

/** Words for the sides in the languages of the sites, in the form that `NFKC` and lower case give them. */
const SIDES: ReadonlyMap<string, Side> = new Map([
  ['buy', 'buy'],
  ['b', 'buy'],
  ['买', 'buy'],
  ['买入', 'buy'],
  ['買', 'buy'],
  ['買い', 'buy'],
  ['매수', 'buy'],
  ['sell', 'sell'],
  ['s', 'sell'],
  ['卖', 'sell'],
  ['卖出', 'sell'],
  ['売', 'sell'],
  ['売り', 'sell'],
  ['매도', 'sell'],
]);
/** Words between the parts of an order that have no meaning of their own. */
const FILLERS: ReadonlySet<string> = new Set(['@', 'at', 'of', 'limit', 'market']);
const NUMBER = /^\d+(?:\.\d+)?$/;
/** A number with commas between its thousands. */
const GROUPED = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;

/**
 * Parses an order: side, size, coin or pair, and an optional limit price, for example `buy 0.1 btc 60000`,
 * `sell 2 eth/btc @ 0.05` or `buy 100 usdt btc` for a total of 100 USDT. A coin without a quote coin means its first pair in
 * `pairs`. Undefined for every other text, also for one with a word that is not understood.
 */
export function parseOrderCommand(
  text: string,
  pairs: readonly OrderCommand['pair'][],
): OrderCommand | undefined {
  const [sideWord = '', ...words] = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('@', ' @ ')
    .trim()
    .split(/\s+/);
  const side = SIDES.get(sideWord);
  if (side === undefined) return undefined;
  const numbers: string[] = [];
  const coins: string[] = [];
  /** How many numbers stood before each coin. */
  const numbersBefore: number[] = [];
  for (const word of words) {
    const number = numberIn(word);
    if (number !== undefined) numbers.push(number);
    else if (!FILLERS.has(word)) {
      coins.push(word);
      numbersBefore.push(numbers.length);
    }
  }
  const [size, price] = numbers;
  if (size === undefined || numbers.length > 2 || coins.length > 2) return undefined;
  if (numbers.some((number) => !Decimal.parse(number).isPositive())) return undefined;
  const order = { side, size, price, kind: price === undefined ? 'market' : 'limit' } as const;
  const [first, second] = coins;
  if (first === undefined) return undefined;
  if (second === undefined) {
    const pair = pairOfWord(first, pairs);
    return pair && { ...order, pair, by: 'amount' };
  }
  // `buy 100 usdt btc`: the coin behind the size is the quote coin of the pair.
  const isTotal = numbersBefore[0] === 1;
  const ofTotal = pairs.find(({ base, quote }) => isCoin(base, second) && isCoin(quote, first));
  if (isTotal && ofTotal !== undefined) return { ...order, pair: ofTotal, by: 'total' };
  const pair = pairs.find(({ base, quote }) => isCoin(base, first) && isCoin(quote, second));
  return pair && { ...order, pair, by: 'amount' };
}

function isCoin(code: string, word: string): boolean {
  return code.toLowerCase() === word;
}

/** The number as decimal text; undefined for another word. */
function numberIn(word: string): string | undefined {
  const number = GROUPED.test(word) ? word.replaceAll(',', '') : word;
  return NUMBER.test(number) ? number : undefined;
}

/** The pair of a word such as `btc`, `btcusdt`, `btc/usdt`, `btc_usdt` or `btc-usdt`. */
function pairOfWord(word: string, pairs: readonly OrderCommand['pair'][]): OrderCommand['pair'] | undefined {
  const symbol = word.replace(/[/_-]/, '');
  return (
    pairs.find((pair) => pair.symbol.toLowerCase() === symbol) ?? pairs.find(({ base }) => isCoin(base, word))
  );
}
