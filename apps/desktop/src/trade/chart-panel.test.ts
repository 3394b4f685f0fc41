import { describe, expect, it } from 'vitest';
import { infoPath } from '@exchange/web-kit/market/trade-paths.ts';
import { CHART_VIEWS, chartViewOf, withChartView } from './chart-panel.tsx';

const BTC = new URLSearchParams('symbol=BTC_USDT');

describe('the view of the chart panel', () => {
  it('DESK-103 is named in the URL next to the pair', () => {
    for (const view of CHART_VIEWS) {
      const search = withChartView(BTC, view);
      expect(chartViewOf(search)).toBe(view);
      expect(search.get('symbol')).toBe('BTC_USDT');
    }
    expect(withChartView(withChartView(BTC, 'depth'), 'chart').toString()).toBe(BTC.toString());
    expect(chartViewOf(new URLSearchParams('view=nonsense'))).toBe('chart');
  });

  it('DESK-103 the information of a pair has its own URL', () => {
    const [, search] = infoPath({ base: 'ETH', quote: 'BTC' }).split('?');
    expect(chartViewOf(new URLSearchParams(search))).toBe('info');
    expect(new URLSearchParams(search).get('symbol')).toBe('ETH_BTC');
  });
});
