import { describe, expect, it } from 'vitest';
import { COIN_NAMES } from '@exchange/core/coin-names.ts';
import { searchKey, typedCode, typedDigits } from '../ui/typed-text.ts';
import { coinNamesOf } from './coin-names.ts';

describe('typed text', () => {
  it.each(['１２３４５６', '123 456', '１２３　４５６', '123-456', ' 123456\n'])(
    'WEB-1000 %j is parsed as the code 123456',
    (typed) => expect(typedDigits(typed)).toBe('123456'),
  );

  it.each(['abcd-ef12', 'ａｂｃｄ－ｅｆ１２', 'abcdーef12', 'abcd−ef12', ' abcd‐ef12　'])(
    'WEB-1000 %j is parsed as the recovery code abcd-ef12',
    (typed) => expect(typedCode(typed)).toBe('abcd-ef12'),
  );

  it('WEB-1000 searches ignore case, character width, outer spaces and kana type', () => {
    expect(searchKey('　ＢＴＣ ')).toBe('btc');
    expect(searchKey('ﾋﾞｯﾄｺｲﾝ')).toBe('ビットコイン');
    expect(searchKey('びっとこいん')).toBe('ビットコイン');
    expect(searchKey('비트코인')).toBe('비트코인'.normalize('NFKC'));
  });
});

describe('names of coins', () => {
  const names = coinNamesOf(COIN_NAMES);
  const matches = (search: string) => [...COIN_NAMES.keys()].filter((code) => names.matches(code, search));

  it.each([
    ['bitcoin', 'BTC'],
    ['ＢＩＴ', 'BTC'],
    ['비트코인', 'BTC'],
    ['比特币', 'BTC'],
    ['比特幣', 'BTC'],
    ['ビットコイン', 'BTC'],
    ['びっと', 'BTC'],
    ['ﾘｯﾌﾟﾙ', 'XRP'],
    ['以太', 'ETH'],
    ['inu', 'SHIB'],
    ['리플', 'XRP'],
  ])('WEB-1002 %j matches %s', (search, coin) => expect(matches(search)).toEqual([coin]));

  it('WEB-1002 the middle of a Latin word and an empty search match no coin', () => {
    expect(matches('eth')).toEqual(['ETH']);
    expect(matches('coin')).toEqual([]);
    expect(matches(' ')).toEqual([]);
  });
});
