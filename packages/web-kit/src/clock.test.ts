import { describe, expect, it } from 'vitest';
import { deviceNow, learnServerTime, serverNow } from './clock.ts';

describe('the clock', () => {
  it('WEB-095 follows the server, trusts the answer with the shortest way, and is not moved by slow ones', () => {
    const now = deviceNow();
    learnServerTime(now + 60_000, now, now);
    expect(Math.abs(serverNow() - deviceNow() - 60_000)).toBeLessThan(5);
    learnServerTime(now + 90_000, now - 4_000, now);
    expect(Math.abs(serverNow() - deviceNow() - 60_000)).toBeLessThan(5);
    learnServerTime(now + 30_000, now - 10, now);
    expect(Math.abs(serverNow() - deviceNow() - 30_005)).toBeLessThan(5);
  });
});
