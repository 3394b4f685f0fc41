import { expect, it } from 'vitest';
import { parseOrderCommand } from './order-command.ts';

const pairOf = (base: string, quote: string) => ({ symbol: (base + quote).toLowerCase(), base, quote });
const PAIRS = [pairOf('BTC', 'USDT'), pairOf('ETH', 'USDT'), pairOf('ETH', 'BTC')];

/** Returns the order that the parser returns, written as one line; `-` if the text is no order. */
function parsed(text: string): string {
  const order = parseOrderCommand(text, PAIRS);
  if (order === undefined) return '-';
  const { side, kind, by, size, price = '', pair } = order;
  return [side, kind, by, size, pair.symbol, price].join(' ').trim();
}

it.each([
  ['buy 0.1 btc 60000', 'buy limit amount 0.1 btcusdt 60000'],
  ['  SELL   2 ETH ', 'sell market amount 2 ethusdt'],
  ['sell 2 eth/btc @0.05', 'sell limit amount 2 ethbtc 0.05'],
  ['sell 2 eth btc at 0.05', 'sell limit amount 2 ethbtc 0.05'],
  ['buy btcusdt 0.5 60,000.5', 'buy limit amount 0.5 btcusdt 60000.5'],
  ['b 1 btc_usdt', 'buy market amount 1 btcusdt'],
  ['buy 100 usdt of btc', 'buy market total 100 btcusdt'],
  ['buy 100 usdt eth 2500', 'buy limit total 100 ethusdt 2500'],
  ['買い　０．１　ｂｔｃ　６００００', 'buy limit amount 0.1 btcusdt 60000'],
  ['卖出 2 eth', 'sell market amount 2 ethusdt'],
  ['매수 0.1 btc 60000', 'buy limit amount 0.1 btcusdt 60000'],
  ['buy limit 0.1 btc 60000', 'buy limit amount 0.1 btcusdt 60000'],
  ['sell market 2 eth', 'sell market amount 2 ethusdt'],
  ['买入 市价 2 eth', 'buy market amount 2 ethusdt'],
])('DESK-026 %s is an order', (text, expected) => {
  expect(parsed(text)).toBe(expected);
});

it.each([
  '',
  'buy',
  'buy btc',
  'buy 0 btc',
  'buy 1 btc 0',
  'buy -1 btc',
  'buy 1e3 btc',
  'buy 1 btc 2 3',
  'buy 1,5 btc',
  'buy 1 doge',
  'buy 1 btc quickly',
  'buy 1 usdt usdt',
  'buyer 1 btc',
  'constructor 1 btc',
  'buy limit 0.1 btc',
  'buy market 0.1 btc 60000',
  'buy limit market 0.1 btc 60000',
  '매수 지정가 0.1 btc',
])('DESK-026 "%s" is no order', (text) => {
  expect(parsed(text)).toBe('-');
});
