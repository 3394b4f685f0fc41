import { describe, expect, it } from 'vitest';
import * as mining from './mining.ts';

describe('mining endpoints', () => {
  it('MIN-006 a purchase requires a verified identity and the trade password; products are public', () => {
    const rows = Object.values(mining).flatMap((call) =>
      'path' in call && 'access' in call ? [[call.path, call.access]] : [],
    );
    expect(Object.fromEntries(rows)).toEqual({
      '/pool/getList': { who: 'anyone' },
      '/pool/getDetail': { who: 'anyone' },
      '/pool/buy': { who: 'user', verified: true, tradePassword: true },
      '/pool/getRecord': { who: 'user' },
      '/pool/getOrderDetail': { who: 'user' },
      '/pool/getIncomeRecord': { who: 'user' },
      '/pool/redeem': { who: 'user' },
    });
  });
});
