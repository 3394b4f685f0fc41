import { describe, expect, it } from 'vitest';
import * as mining from './mining.ts';

describe('the calls of mining', () => {
  it('MIN-006 buying demands a verified identity and the trade password; reading products demands nothing', () => {
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
