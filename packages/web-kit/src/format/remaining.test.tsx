import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { serverNow } from '../clock.ts';
import { loadAllWords } from '../i18n/words.ts';
import { formatRemaining, formatUnit } from './format-remaining.ts';
import { localInputOf, timeOfLocalInput } from './local-input.ts';
import { Remaining } from './remaining.tsx';

describe('remaining time', () => {
  it.each([
    [0, '0 sec'],
    [-5_000, '0 sec'],
    [59_999, '59 sec'],
    [61_000, '1 min 1 sec'],
    [2 * 3_600_000 + 14 * 60_000 + 59_000, '2 hr 14 min'],
    [3 * 86_400_000 + 1, '3 days 0 hr'],
  ])('WEB-150 of %i ms is %s', (lengthMs, text) => {
    expect(formatRemaining(lengthMs, 'en-US')).toBe(text);
  });

  it('WEB-150 is formatted in the page’s language', () => {
    expect(formatRemaining(2 * 3_600_000 + 14 * 60_000, 'zh-CN')).toBe('2小时14分钟');
    expect(formatRemaining(2 * 3_600_000 + 14 * 60_000, 'ko-KR')).toBe('2시간 14분');
    expect(formatRemaining(2 * 3_600_000 + 14 * 60_000, 'ja-JP')).toBe('2時間14分');
    expect(formatUnit(5, 'minute', 'ja-JP')).toBe('5分');
    expect(formatUnit(5, 'minute', 'en-US')).toBe('5 min');
  });

  it('WEB-150 creates the formatter of a unit once, however often a countdown is updated', () => {
    let createdCount = 0;
    vi.stubGlobal('Intl', {
      NumberFormat: class extends Intl.NumberFormat {
        constructor(...options: ConstructorParameters<typeof Intl.NumberFormat>) {
          super(...options);
          createdCount += 1;
        }
      },
    });
    for (let leftMs = 100_000; leftMs > 0; leftMs -= 200) formatRemaining(leftMs, 'ko-KR');
    vi.unstubAllGlobals();
    // At most one formatter for minutes and one for seconds are created; fewer if an earlier test has created them.
    expect(createdCount).toBeLessThanOrEqual(2);
  });

  describe('on screen', () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    it('WEB-150 counts down every second', async () => {
      await loadAllWords();
      render(<Remaining until={serverNow() + 90_000} />);
      expect(screen.getByText('1 min 30 sec')).toBeTruthy();
      act(() => void vi.advanceTimersByTime(31_000));
      expect(screen.getByText('59 sec')).toBeTruthy();
    });
  });
});

describe('a date and time field', () => {
  it('WEB-151 returns the same minute in local time', () => {
    const at = new Date(2026, 10, 21, 8, 5).getTime();
    expect(localInputOf(at)).toBe('2026-11-21T08:05');
    expect(timeOfLocalInput('2026-11-21T08:05')).toBe(at);
    expect(localInputOf(undefined)).toBe('');
    expect(timeOfLocalInput('2026-11-21')).toBeUndefined();
    expect(timeOfLocalInput('2026-13-41T99:99')).toBeUndefined();
  });
});
