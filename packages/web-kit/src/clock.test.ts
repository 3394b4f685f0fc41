import { describe, expect, it } from 'vitest';
import { deviceNow, learnServerTime, serverNow } from './clock.ts';

/** Returns the estimated server time minus the device time, in milliseconds. */
const offset = () => serverNow() - deviceNow();

/**
 * Simulates a response from a server whose clock is `aheadMs` ahead of the device's clock; the round trip takes
 * `roundTripMs`.
 */
function answer(aheadMs: number, roundTripMs: number, outwardShare = 0.5): void {
  const sentAt = deviceNow();
  learnServerTime(sentAt + roundTripMs * outwardShare + aheadMs, sentAt, sentAt + roundTripMs);
}

describe('the clock', () => {
  it('WEB-095 follows the server by the fastest response; slow asymmetric responses do not move it', () => {
    answer(60_000, 0);
    expect(Math.abs(offset() - 60_000)).toBeLessThan(5);
    answer(60_000, 4_000, 0.95);
    expect(Math.abs(offset() - 60_000)).toBeLessThan(5);
  });

  it('WEB-990 follows a changed device clock with the first response, however slow', () => {
    for (let ping = 0; ping < 8; ping += 1) answer(0, 10);
    answer(30_000, 400);
    expect(Math.abs(offset() - 30_000)).toBeLessThan(5);
    for (let ping = 0; ping < 200; ping += 1) answer(30_000, 400);
    expect(Math.abs(offset() - 30_000)).toBeLessThan(5);
  });

  it('WEB-990 follows a drifting clock although every response has become slower', () => {
    answer(0, 10);
    // The server's clock drifts by 5 ms per response, so no sample contradicts the previous ones.
    for (let ping = 1; ping <= 200; ping += 1) answer(ping * 5, 300);
    expect(Math.abs(offset() - 1_000)).toBeLessThan(50);
  });
});
