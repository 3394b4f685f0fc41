import { describe, expect, it } from 'vitest';
import { quietUntil } from './push.ts';
import { instant } from './time.ts';

const at = (text: string) => instant(Date.parse(text));
const untilOf = (from: number, to: number, timeZone: string, text: string) => {
  const until = quietUntil({ from, to, timeZone }, at(text));
  return until === undefined ? undefined : new Date(until).toISOString();
};

describe('quiet hours', () => {
  it.each([
    [
      '22:00 to 07:00 in Seoul, at 23:30',
      22 * 60,
      7 * 60,
      '2026-11-27T14:30:20Z',
      '2026-11-27T22:00:00.000Z',
    ],
    [
      '22:00 to 07:00 in Seoul, at 06:59',
      22 * 60,
      7 * 60,
      '2026-11-27T21:59:59Z',
      '2026-11-27T22:00:00.000Z',
    ],
    ['22:00 to 07:00 in Seoul, at 07:00', 22 * 60, 7 * 60, '2026-11-27T22:00:00Z', undefined],
    ['22:00 to 07:00 in Seoul, at 21:59', 22 * 60, 7 * 60, '2026-11-27T12:59:59Z', undefined],
    [
      '12:00 to 13:00 in Seoul, at noon',
      12 * 60,
      13 * 60,
      '2026-11-27T03:00:00Z',
      '2026-11-27T04:00:00.000Z',
    ],
    ['equal times are no quiet hours', 60, 60, '2026-11-27T16:00:00Z', undefined],
  ])('PUSH-010 %s', (_, from, to, now, until) => {
    expect(untilOf(from, to, 'Asia/Seoul', now)).toBe(until);
  });

  it('PUSH-010 end at the time that the clock shows after it was put forward or back', () => {
    // In New York the clocks are put forward on 8 March 2026 and back on 1 November 2026, both at 02:00.
    expect(untilOf(1_320, 420, 'America/New_York', '2026-03-08T04:30:00Z')).toBe('2026-03-08T11:00:00.000Z');
    expect(untilOf(1_320, 420, 'America/New_York', '2026-11-01T03:30:00Z')).toBe('2026-11-01T12:00:00.000Z');
  });

  it('PUSH-010 an unknown time zone is an error', () => {
    expect(() => quietUntil({ from: 0, to: 60, timeZone: 'Mars/Base' }, at('2026-11-27T00:00:00Z'))).toThrow(
      RangeError,
    );
  });
});
