import { changesUntil, type RecordedPart } from '@exchange/core/recorded-book.ts';
import { useEffect, useState } from 'react';

const TICK_MS = 100;
export const SPEEDS = ['1', '5', '20'] as const;
export type Speed = (typeof SPEEDS)[number];

/** A place in a part: a time in milliseconds UTC, and the number of changes that have happened by then. */
export interface Place {
  readonly time: number;
  readonly position: number;
}

/** The place at a time, which is moved into the part. */
export function placeAt(part: RecordedPart, time: number): Place {
  const inside = Math.min(Math.max(time, part.from), part.until);
  return { time: inside, position: changesUntil(part, inside) };
}

/** The place directly after a number of changes; the beginning of the part for zero. */
export function placeAfter(part: RecordedPart, position: number): Place {
  const bounded = Math.min(Math.max(position, 0), part.changes.length);
  const last = part.changes[bounded - 1];
  // A change may have been matched shortly before the part began and committed in it.
  const time = last === undefined ? part.from : Math.max(part.from, part.from + last[1]);
  return { time, position: bounded };
}

/** The place directly after a trade; undefined when the trade is not in the part. */
export function placeOfTrade(part: RecordedPart, tradeId: string): Place | undefined {
  const index = part.changes.findIndex(([, , , , trades]) => trades.some(([, id]) => id === tradeId));
  return index < 0 ? undefined : placeAfter(part, index + 1);
}

interface PlaybackOptions {
  readonly part: RecordedPart;
  readonly start: Place;
  readonly isPlaying: boolean;
  readonly speed: Speed;
  /** Called when the end of the part is reached while it plays. */
  readonly onEnd: () => void;
}

/** The place that is shown, which moves by itself while it plays. */
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
