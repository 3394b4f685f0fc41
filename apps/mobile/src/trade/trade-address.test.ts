import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RECORDS_TABS } from '../paths.ts';
import { tradeViewOf, withTradeView, type TradeView } from './trade-query.ts';

const view: fc.Arbitrary<TradeView> = fc.record({
  view: fc.constantFrom(undefined, 'chart', 'info'),
  tab: fc.constantFrom(...RECORDS_TABS),
  onlyThisPair: fc.boolean(),
});

describe('the URL of the trading screen', () => {
  it('MOB-114 contains the displayed state and its pair, and is parsed unchanged', () => {
    fc.assert(
      fc.property(view, view, (before, after) => {
        const once = withTradeView(new URLSearchParams('symbol=ETH_BTC'), before);
        expect(tradeViewOf(once)).toEqual(before);
        const twice = withTradeView(once, after);
        expect(tradeViewOf(twice)).toEqual(after);
        expect(twice.get('symbol')).toBe('ETH_BTC');
      }),
    );
  });

  it('MOB-114 omits defaults, and invalid parameters use the defaults', () => {
    const usual: TradeView = { view: undefined, tab: 'open', onlyThisPair: true };
    expect(tradeViewOf(new URLSearchParams('view=x&orders=%3Cb%3E&pairs=some'))).toEqual(usual);
    expect(withTradeView(new URLSearchParams('symbol=ETH_BTC&orders=fills'), usual).toString()).toBe(
      'symbol=ETH_BTC',
    );
  });
});
