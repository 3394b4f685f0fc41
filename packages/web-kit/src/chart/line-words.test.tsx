import { renderHook } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { startWords } from '../i18n/words.ts';
import { order } from '../spot/testing/fixtures.ts';
import { useLineWords } from './price-lines.ts';

beforeEach(() => startWords());

it('WEB-330 a line names its order as the lists do: the legs of an OCO, or the take-profit and stop-loss of an entry', () => {
  const { current } = renderHook(() => useLineWords()).result;
  const leg = { tradeType: 2, amount: '0.5', groupId: 'g', orderType: 'limit' } as const;
  expect(current.order(order('a', { tradeType: 2, amount: '0.5', orderType: 'limit' }))).toBe('Sell 0.5');
  expect(current.order(order('b', leg))).toBe('OCO · Sell 0.5');
  expect(current.order(order('c', { ...leg, entryId: 'e' }))).toBe('TP/SL · Sell 0.5');
  expect(current.order(order('d', { ...leg, orderType: 'stopMarket', entryId: 'e' }))).toBe(
    'TP/SL · Stop-market · Sell 0.5',
  );
});
