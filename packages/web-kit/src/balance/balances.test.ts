import { describe, expect, it } from 'vitest';
import { balancesAfter } from './balances.ts';

describe('balances', () => {
  it('WEB-101 are updated immediately and valued at the last known price', () => {
    const cached = {
      total: '1000',
      list: [
        {
          currency: 'BTC',
          currencyName: 'Bitcoin',
          logo: '',
          availableCurrency: '1',
          frozenCurrency: '0',
          price: '900',
          total: '900',
          status: 1,
        },
        {
          currency: 'USDT',
          currencyName: 'Tether',
          logo: '',
          availableCurrency: '100',
          frozenCurrency: '0',
          price: '1',
          total: '100',
          status: 1,
        },
      ],
    };
    const after = balancesAfter(cached, [{ currency: 'BTC', available: '0.5', frozen: '0.25' }]);
    expect(after.list[0]).toMatchObject({ availableCurrency: '0.5', frozenCurrency: '0.25', total: '675' });
    expect(after.list[1]).toBe(cached.list[1]);
    expect(after.total).toBe('775');
  });
});
