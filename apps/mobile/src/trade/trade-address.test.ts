import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RECORDS_TABS } from '../paths.ts';
import { tradeViewOf, withTradeView, type TradeView } from './trade-address.ts';

const view: fc.Arbitrary<TradeView> = fc.record({
  view: fc.constantFrom(undefined, 'chart', 'info'),
  tab: fc.constantFrom(...RECORDS_TABS),
  onlyThis: fc.boolean(),
});

describe('the address of the trading screen', () => {
  it('MOB-114 says what is shown and is read back as it was, with its pair', () => {
    fc.assert(
      fc.property(view, view, (first, second) => {
        const once = withTradeView(new URLSearchParams('symbol=ETH_BTC'), first);
        expect(tradeViewOf(once)).toEqual(first);
        const twice = withTradeView(once, second);
        expect(tradeViewOf(twice)).toEqual(second);
        expect(twice.get('symbol')).toBe('ETH_BTC');
      }),
    );
  });

  it('MOB-114 says nothing of what is usual, and nonsense is as usual', () => {
    const usual: TradeView = { view: undefined, tab: 'open', onlyThis: true };
    expect(tradeViewOf(new URLSearchParams('view=x&orders=%3Cb%3E&pairs=some'))).toEqual(usual);
    expect(withTradeView(new URLSearchParams('symbol=ETH_BTC&orders=fills'), usual).toString()).toBe(
      'symbol=ETH_BTC',
    );
  });
});
