import type { Side } from '@exchange/core/pair.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import type { MarketPair } from '../market/pair.ts';

/** An order that was typed as one line of text, such as `buy 0.1 btc 60000`. */
export interface OrderCommand {
  readonly pair: Pick<MarketPair, 'symbol' | 'base' | 'quote'>;
  readonly side: Side;
  /** Limit order if the user typed a price, otherwise market order. */
  readonly kind: 'limit' | 'market';
  /** Whether `size` is an amount in the base coin or a total in the quote coin. */
  readonly by: 'amount' | 'total';
  /** Size of the order, a positive decimal. */
  readonly size: string;
  /** Limit price in the quote coin; undefined for a market order. */
  readonly price: string | undefined;
}

/** Words for buy and sell in the four languages of the sites, normalised with `NFKC` and in lower case. */
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
/**
 * Words for the kind of an order in the four languages. A text is no order if it contains a word for a limit order but
 * no price, or a word for a market order and a price.
 */
const KINDS: ReadonlyMap<string, OrderCommand['kind']> = new Map([
  ['limit', 'limit'],
  ['限价', 'limit'],
  ['指値', 'limit'],
  ['지정가', 'limit'],
  ['market', 'market'],
  ['市价', 'market'],
  ['成行', 'market'],
  ['시장가', 'market'],
]);
/** Words that may be between the parts of an order and are ignored. */
const FILLERS: ReadonlySet<string> = new Set(['@', 'at', 'of']);
const NUMBER = /^\d+(?:\.\d+)?$/;
/** Matches a number with commas between its groups of three digits. */
const GROUPED = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;

/**
 * Parses an order that consists of side, size, coin or pair, and an optional limit price, for example `buy 0.1 btc
 * 60000`, `sell 2 eth/btc @ 0.05` or `buy 100 usdt btc` for a total of 100 USDT. A single coin means the first pair in
 * `pairs` with that base coin. Undefined for any other text, also for a text with one unknown word, a limit order
 * without a price and a market order with one.
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
  /** For each coin in the text, how many numbers are before it. */
  const numbersBefore: number[] = [];
  const kinds = new Set<OrderCommand['kind']>();
  for (const word of words) {
    const number = numberIn(word);
    const kindOfWord = KINDS.get(word);
    if (number !== undefined) numbers.push(number);
    else if (kindOfWord !== undefined) kinds.add(kindOfWord);
    else if (!FILLERS.has(word)) {
      coins.push(word);
      numbersBefore.push(numbers.length);
    }
  }
  const [size, price] = numbers;
  if (size === undefined || numbers.length > 2 || coins.length > 2) return undefined;
  if (numbers.some((number) => !Decimal.parse(number).isPositive())) return undefined;
  const kind = price === undefined ? 'market' : 'limit';
  if ([...kinds].some((named) => named !== kind)) return undefined;
  const order = { side, size, price, kind } as const;
  const [first, second] = coins;
  if (first === undefined) return undefined;
  if (second === undefined) {
    const pair = pairOfWord(first, pairs);
    return pair && { ...order, pair, by: 'amount' };
  }
  // In `buy 100 usdt btc`, the coin directly after the size is the quote coin of the pair, so the size is a total.
  const isTotal = numbersBefore[0] === 1;
  const ofTotal = pairs.find(({ base, quote }) => isCoin(base, second) && isCoin(quote, first));
  if (isTotal && ofTotal !== undefined) return { ...order, pair: ofTotal, by: 'total' };
  const pair = pairs.find(({ base, quote }) => isCoin(base, first) && isCoin(quote, second));
  return pair && { ...order, pair, by: 'amount' };
}

function isCoin(code: string, word: string): boolean {
  return code.toLowerCase() === word;
}

/** Returns the number in a word as plain decimal text; undefined if the word is no number. */
function numberIn(word: string): string | undefined {
  const number = GROUPED.test(word) ? word.replaceAll(',', '') : word;
  return NUMBER.test(number) ? number : undefined;
}

/**
 * Returns the pair whose symbol a word such as `btcusdt`, `btc/usdt`, `btc_usdt` or `btc-usdt` is; if there
 * is none, the first of `pairs` with the word as its base coin, such as `btc`; otherwise undefined.
 */
function pairOfWord(word: string, pairs: readonly OrderCommand['pair'][]): OrderCommand['pair'] | undefined {
  const symbol = word.replace(/[/_-]/, '');
  return (
    pairs.find((pair) => pair.symbol.toLowerCase() === symbol) ?? pairs.find(({ base }) => isCoin(base, word))
  );
}
