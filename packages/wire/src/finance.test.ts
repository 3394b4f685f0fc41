import { describe, expect, it } from 'vitest';
import * as finance from './finance.ts';

describe('finance endpoints', () => {
  it('FIN-006 a purchase requires a verified identity and the trade password; products are public', () => {
    const rows = Object.values(finance).flatMap((call) =>
      'path' in call && 'access' in call ? [[call.path, call.access]] : [],
    );
    expect(Object.fromEntries(rows)).toEqual({
      '/finance/getList': { who: 'anyone' },
      '/finance/getDetail': { who: 'anyone' },
      '/finance/buy': { who: 'user', verified: true, tradePassword: true },
      '/finance/getRecord': { who: 'user' },
      '/finance/getOrderDetail': { who: 'user' },
      '/finance/getIncomeRecord': { who: 'user' },
      '/finance/withdraw': { who: 'user' },
    });
  });
});
