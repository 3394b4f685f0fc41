import { renderHook } from '@testing-library/react';
import { beforeAll, describe, expect, it } from 'vitest';
import { startWords } from '../i18n/words.ts';
import { useAmendmentWords } from './amendment-words.ts';

beforeAll(startWords);

const BEFORE = {
  ...{ priceBefore: '99.00', amountBefore: '4', stopPriceBefore: '' },
  ...{ takeProfitPriceBefore: '110.00', stopLossPriceBefore: '', stopLossLimitPriceBefore: '' },
};
const SAME = {
  ...{ time: 1, price: '99.00', amount: '4', stopPrice: '' },
  ...{ takeProfitPrice: '110.00', stopLossPrice: '', stopLossLimitPrice: '' },
};

describe('the changes of an order', () => {
  it('WEB-283 are told one by one: what was, what is, and that there was or is none', () => {
    const tell = renderHook(() => useAmendmentWords(2)).result.current;
    expect(tell({ ...BEFORE, ...SAME })).toEqual([]);
    expect(tell({ ...BEFORE, ...SAME, takeProfitPrice: '', stopLossPrice: '95.00' })).toEqual([
      ...['Take profit 110.00 → none', 'Stop loss none → 95.00'],
    ]);
    expect(tell({ ...BEFORE, ...SAME, price: '1098.50', amount: '3.5' })).toEqual([
      ...['Price 99.00 → 1,098.50', 'Amount 4 → 3.5'],
    ]);
  });
});
