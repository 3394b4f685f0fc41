import { changesUntil, type RecordedPart } from '@exchange/core/recorded-book.ts';
import { useEffect, useState } from 'react';

const TICK_MS = 100;
export const SPEEDS = ['1', '5', '20'] as const;
export type Speed = (typeof SPEEDS)[number];

/**
 * A point in one of the consecutive parts into which the recorded order book is divided: a time in milliseconds UTC
 * (`time`), and the number of the part's changes up to that time (`position`).
 */
export interface Place {
  readonly time: number;
  readonly position: number;
}

/**
 * Returns the point of a part of the recording at a time; a time outside the part is replaced by the nearest
 * time within it.
 */
export function placeAt(part: RecordedPart, time: number): Place {
  const inside = Math.min(Math.max(time, part.from), part.until);
  return { time: inside, position: changesUntil(part, inside) };
}

/**
 * Returns the point of a part of the recording just after its first `position` changes; the beginning of the
 * part for 0.
 */
export function placeAfter(part: RecordedPart, position: number): Place {
  const bounded = Math.min(Math.max(position, 0), part.changes.length);
  const last = part.changes[bounded - 1];
  // The time of a change can be shortly before the beginning of its part: the change was then matched before
  // the beginning and committed after it. The beginning is then used instead.
  const time = last === undefined ? part.from : Math.max(part.from, part.from + last[1]);
  return { time, position: bounded };
}

/**
 * Returns the point of a part of the recording just after a trade; undefined when the part does not contain
 * the trade.
 */
export function placeOfTrade(part: RecordedPart, tradeId: string): Place | undefined {
  const index = part.changes.findIndex(([, , , , trades]) => trades.some(([, id]) => id === tradeId));
  return index < 0 ? undefined : placeAfter(part, index + 1);
}

interface PlaybackOptions {
  readonly part: RecordedPart;
  readonly start: Place;
  readonly isPlaying: boolean;
  readonly speed: Speed;
  /**
   * Called when the replay reaches the end of the displayed part of the recording while it plays, so that the caller
   * can load the next part.
   */
  readonly onEnd: () => void;
}

/**
 * The displayed point (`place`) of a part of the recording, initially `start`. While the replay plays, the
 * point advances with `speed` times the real time until the end of the part. `setPlace` moves to another
 * point.
 */
export function usePlayback({ part, start, isPlaying, speed, onEnd }: PlaybackOptions) {
  const [place, setPlace] = useState(start);
  const isAtEnd = place.time >= part.until;
  useEffect(() => {
    if (!isPlaying || isAtEnd) return undefined;
    const timer = setInterval(
      () => setPlace(({ time }) => placeAt(part, time + TICK_MS * Number(speed))),
      TICK_MS,
    );
    return () => clearInterval(timer);
  }, [part, isPlaying, isAtEnd, speed]);
  useEffect(() => {
    if (isPlaying && isAtEnd) onEnd();
  }, [isPlaying, isAtEnd, onEnd]);
  return { place, setPlace };
}
