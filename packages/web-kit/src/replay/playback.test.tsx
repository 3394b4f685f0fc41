import { RECORDED_BOOK_VERSION, type RecordedPart } from '@exchange/core/recorded-book.ts';
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { placeAfter, placeAt, placeOfTrade, usePlayback } from './playback.ts';

const FROM = 1_795_219_200_000;
const PART: RecordedPart = {
  v: RECORDED_BOOK_VERSION,
  symbol: 'btcusdt',
  seq: 3,
  prev: '0'.repeat(64),
  continues: true,
  from: FROM,
  until: FROM + 1_000,
  priceDigits: 2,
  amountDigits: 5,
  bids: [['50000.00', '1.00000']],
  asks: [],
  changes: [
    [7, -5, 9, [['buy', '50000.00', '2.00000']], []],
    [8, 250, 3, [['buy', '50000.00', '1.50000']], [[4, 'trade-4', '50000.00', '0.50000', 'sell']]],
    [9, 250, 3, [['buy', '50000.00', '0.00000']], []],
  ],
};

describe('playback of a part', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
  });

  it('RPL-030 a time, a change and a trade have their places, which are always in the part', () => {
    expect(placeAt(PART, FROM + 249)).toEqual({ time: FROM + 249, position: 1 });
    expect(placeAt(PART, FROM + 250)).toEqual({ time: FROM + 250, position: 3 });
    expect(placeAt(PART, FROM - 9_000)).toEqual({ time: FROM, position: 1 });
    expect(placeAt(PART, FROM + 9_000)).toEqual({ time: FROM + 1_000, position: 3 });
    expect(placeAfter(PART, 2)).toEqual({ time: FROM + 250, position: 2 });
    expect(placeAfter(PART, 1)).toEqual({ time: FROM, position: 1 });
    expect(placeAfter(PART, -1)).toEqual({ time: FROM, position: 0 });
    expect(placeAfter(PART, 9).position).toBe(3);
    expect(placeOfTrade(PART, 'trade-4')).toEqual({ time: FROM + 250, position: 2 });
    expect(placeOfTrade(PART, 'trade-5')).toBeUndefined();
  });

  it('RPL-030 it plays at its speed, pauses, and reports the end once per part', () => {
    const onEnd = vi.fn<() => void>();
    const start = placeAt(PART, FROM);
    const { result, rerender } = renderHook(
      ({ isPlaying, speed }: { isPlaying: boolean; speed: '1' | '5' }) =>
        usePlayback({ part: PART, start, isPlaying, speed, onEnd }),
      { initialProps: { isPlaying: false, speed: '1' } },
    );
    const pass = (ms: number) =>
      act(() => {
        vi.advanceTimersByTime(ms);
      });
    pass(500);
    expect(result.current.place.time).toBe(FROM);
    rerender({ isPlaying: true, speed: '1' });
    pass(300);
    expect(result.current.place).toEqual({ time: FROM + 300, position: 3 });
    rerender({ isPlaying: false, speed: '1' });
    pass(300);
    expect(result.current.place.time).toBe(FROM + 300);
    rerender({ isPlaying: true, speed: '5' });
    pass(100);
    expect(result.current.place.time).toBe(FROM + 800);
    expect(onEnd).not.toHaveBeenCalled();
    pass(500);
    expect(result.current.place.time).toBe(FROM + 1_000);
    expect(onEnd).toHaveBeenCalledTimes(1);
  });
});
