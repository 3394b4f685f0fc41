import { symbolOfName } from '@exchange/core/pair.ts';
import { afterEach, expect, it } from 'vitest';
import { shownValue, startOf } from './form-values.ts';
import { learnPairs, withPairNames } from './pair-names.ts';
import { percentOf } from './texts.ts';

afterEach(() => learnPairs());

it('OPS-037 parses a rate in percent in any typed format', () => {
  expect(['0.00022', '0', '1.5'].map((rate) => percentOf(rate))).toEqual(['0.022 %', '0 %', '150 %']);
  expect(percentOf('none')).toBe('none');
});

it('OPS-037 replaces pair symbols by names in any text and leaves other words unchanged', () => {
  expect(withPairNames('btcusdt')).toBe('btcusdt');
  learnPairs(['BTC_USDT', 'ETH_BTC']);
  expect(withPairNames('btcusdt=0.06 ethbtc=1.1 tether xbtcusdt')).toBe(
    'BTC/USDT=0.06 ETH/BTC=1.1 tether xbtcusdt',
  );
  // A displayed pair name is converted back to the pair symbol.
  expect(symbolOfName(withPairNames('ethbtc'))).toBe('ethbtc');
  expect(shownValue({ label: 'Pairs', kind: 'text' }, 'btcusdt')).toBe('BTC/USDT');
  // URL path parameters and texts written for users are not rewritten to pair names.
  expect(shownValue(undefined, 'btcusdt')).toBe('btcusdt');
  expect(shownValue({ label: 'Text', kind: 'longText' }, 'btcusdt')).toBe('btcusdt');
});

it('OPS-1226 a field about something else than the row starts empty, although the row has a column of its name', () => {
  const row = { txid: 'ab' };
  expect(startOf(row, 'txid', { label: 'Transaction', kind: 'text' })).toBe('ab');
  expect(startOf(row, 'txid', { label: 'Transaction that paid it', kind: 'text', isNew: true })).toBe('');
});
