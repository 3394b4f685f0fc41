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

/** The most that is kept, and that the tape gives at once. */
const MOST_SECONDS = 3_600;
const NONE: readonly LinePoint[] = [];

/** The last `seconds` of a pair's index, second by second: from the tape, then live. */
export function useIndexLine(symbol: string, seconds: number): readonly LinePoint[] {
  const [line, setLine] = useState<{ symbol: string; points: readonly LinePoint[] }>({
    symbol,
    points: NONE,
  });
  useEffect(() => {
    const leaving = new AbortController();
    const to = Math.floor(serverNow());
    call(proofTape, { symbol, from: to - seconds * 1_000, to }, { signal: leaving.signal }).then(
      ({ lines }) => setLine((shown) => ({ symbol, points: joined(lines.map(pointOf), of(shown, symbol)) })),
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
        setLine((shown) => ({ symbol, points: joined(of(shown, symbol), [{ t, price }]) }));
      }),
    [symbol],
  );
  return of(line, symbol);
}

function of(shown: { symbol: string; points: readonly LinePoint[] }, symbol: string): readonly LinePoint[] {
  return shown.symbol === symbol ? shown.points : NONE;
}

/** Two stretches as one, each second once, the oldest cut off. */
export function joined(one: readonly LinePoint[], other: readonly LinePoint[]): readonly LinePoint[] {
  const all = new Map([...one, ...other].map((point) => [point.t, point]));
  return [...all.values()].toSorted((a, b) => a.t - b.t).slice(-MOST_SECONDS);
}

function pointOf(text: string): LinePoint {
  const { t, index } = JSON.parse(text) as { t: number; index: string | null };
  return { t, price: index };
}
