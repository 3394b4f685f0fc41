import { proofTape } from '@exchange/wire/proof.ts';
import { useEffect, useState } from 'react';
import { call } from '../api/client.ts';
import { serverNow } from '../clock.ts';
import { followIndex } from '../market/live.ts';

/** One second of the index; a gap has no price. */
export interface LinePoint {
  readonly t: number;
  readonly price: string | null;
}

/** A price that was made up for the demo market: for the eye alone, so it is a number. */
export interface PastPoint {
  readonly t: number;
  readonly price: number;
}

/** What is known of a pair's index. */
export interface IndexLine {
  readonly points: readonly LinePoint[];
  /** How many seconds back the tape has been read; none while it has not answered. */
  readonly reach: number;
}

/** The most that is kept, and that the tape gives at once. */
const MOST_SECONDS = 3_600;
const NONE: IndexLine = { points: [], reach: 0 };

/** The last `seconds` of a pair's index, second by second: from the tape, then live. */
export function useIndexLine(symbol: string, seconds: number): IndexLine {
  const [line, setLine] = useState<LineOf>({ symbol, ...NONE });
  useEffect(() => {
    const leaving = new AbortController();
    const to = Math.floor(serverNow());
    call(proofTape, { symbol, from: to - seconds * 1_000, to }, { signal: leaving.signal }).then(
      ({ lines }) =>
        setLine((shown) => {
          const { points, reach } = of(shown, symbol);
          return {
            symbol,
            points: joined(lines.map(pointOf), points),
            reach: Math.max(reach, seconds),
          };
        }),
      // Without the past the line begins now.
      () => undefined,
    );
    return () => leaving.abort();
  }, [symbol, seconds]);
  useEffect(
    () =>
      followIndex(symbol, (newest) => {
        if (newest === undefined || newest === null) return;
        const { t, price } = newest;
        setLine((shown) => {
          const { points, reach } = of(shown, symbol);
          return { symbol, points: joined(points, [{ t, price }]), reach };
        });
      }),
    [symbol],
  );
  return of(line, symbol);
}

interface LineOf extends IndexLine {
  readonly symbol: string;
}

function of(shown: LineOf, symbol: string): IndexLine {
  return shown.symbol === symbol ? shown : NONE;
}

/** Two stretches as one, each second once, the oldest cut off. */
export function joined(one: readonly LinePoint[], other: readonly LinePoint[]): readonly LinePoint[] {
  const all = new Map([...one, ...other].map((point) => [point.t, point]));
  return [...all.values()].toSorted((a, b) => a.t - b.t).slice(-MOST_SECONDS);
}

/** The point that a line of the tape tells. */
export function pointOf(text: string): LinePoint {
  const { t, index } = JSON.parse(text) as { t: number; index: string | null };
  return { t, price: index };
}
