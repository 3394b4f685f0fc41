import { describe, expect, it } from 'vitest';
import * as subscription from './subscription.ts';

describe('subscription endpoints', () => {
  it('SUB-001 SUB-004 a commitment requires a verified identity and the trade password; projects are public', () => {
    const rows = Object.values(subscription).flatMap((call) =>
      'path' in call && 'access' in call ? [[call.path, call.access]] : [],
    );
    expect(Object.fromEntries(rows)).toEqual({
      '/subscribe/getList': { who: 'anyone' },
      '/subscribe/getDetail': { who: 'anyone' },
      '/subscribe/preview': { who: 'anyone' },
      '/subscribe/getFile': { who: 'anyone' },
      '/subscribe/commit': { who: 'user', verified: true, tradePassword: true },
      '/subscribe/reduce': { who: 'user' },
      '/subscribe/getRecord': { who: 'user' },
      '/subscribe/getRecordDetail': { who: 'user' },
      '/subscribe/claim': { who: 'user' },
    });
  });
});
