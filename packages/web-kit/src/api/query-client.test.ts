import { describe, expect, it } from 'vitest';
import { CallFailed, CallRefused } from './client.ts';
import { isWorthRepeating } from './query-client.ts';

describe('reading', () => {
  it('WEB-087 repeats what was lost or refused for the moment, at most three times, and nothing else', () => {
    const lost = new CallFailed('network', 'l.network');
    expect([0, 2, 3].map((failures) => isWorthRepeating(failures, lost))).toEqual([true, true, false]);
    expect([-9, -15, -1, -2, 0].map((code) => isWorthRepeating(0, new CallRefused(code, 'no')))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
