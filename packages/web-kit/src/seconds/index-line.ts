import { proofTape } from '@exchange/wire/proof.ts';
import { useEffect, useState } from 'react';
import { call } from '../api/client.ts';
import { serverNow } from '../clock.ts';
import { followIndex } from '../market/live.ts';

/** The index price at the second `t` (milliseconds UTC); null if the index has no price at that second. */
export interface LinePoint {
  readonly t: number;
  readonly price: string | null;
}

/**
 * A generated price of the demo market at the time `t` (milliseconds UTC). A floating-point number, because it is only
 * drawn.
 */
export interface PastPoint {
  readonly t: number;
  readonly price: number;
}

/** The index prices of a pair that the page has loaded. */
export interface IndexLine {
  readonly points: readonly LinePoint[];
  /**
   * Greatest number of past seconds of which the page has loaded the index prices; 0 until the server has
   * answered.
   */
  readonly reach: number;
}

/** Maximum number of seconds of index prices, in the page's memory and in one response. */
const SECONDS_MAX = 3_600;
const NONE: IndexLine = { points: [], reach: 0 };

/**
 * A pair's index prices: those of the last `seconds` seconds are loaded from the server's record, and new
 * ones are added live. Older points are not removed until there are more than `SECONDS_MAX`.
 */
export function useIndexLine(symbol: string, seconds: number): IndexLine {
  const [line, setLine] = useState<LineState>({ symbol, ...NONE });
  useEffect(() => {
    const leaving = new AbortController();
    const to = Math.floor(serverNow());
    call(proofTape, { symbol, from: to - seconds * 1_000, to }, { signal: leaving.signal }).then(
      ({ lines }) =>
        setLine((current) => {
          const { points, reach } = lineFor(current, symbol);
          return {
            symbol,
            points: mergePoints(lines.map(parsePoint), points),
            reach: Math.max(reach, seconds),
          };
        }),
      // If the past prices cannot be loaded, the line begins with the first live price.
      () => undefined,
    );
    return () => leaving.abort();
  }, [symbol, seconds]);
  useEffect(
    () =>
      followIndex(symbol, (newest) => {
        if (newest === undefined || newest === null) return;
        const { t, price } = newest;
        setLine((current) => {
          const { points, reach } = lineFor(current, symbol);
          return { symbol, points: mergePoints(points, [{ t, price }]), reach };
        });
      }),
    [symbol],
  );
  return lineFor(line, symbol);
}

interface LineState extends IndexLine {
  readonly symbol: string;
}

function lineFor(line: LineState, symbol: string): IndexLine {
  return line.symbol === symbol ? line : NONE;
}

/**
 * Merges two lists of points in the order of time; if both contain a second, the point of `newer` is used.
 * Removes the oldest points above `SECONDS_MAX`.
 */
export function mergePoints(older: readonly LinePoint[], newer: readonly LinePoint[]): readonly LinePoint[] {
  const points = new Map([...older, ...newer].map((point) => [point.t, point]));
  return [...points.values()].toSorted((a, b) => a.t - b.t).slice(-SECONDS_MAX);
}

/** Parses a line of the index tape, the server's record of index prices. */
export function parsePoint(text: string): LinePoint {
  const { t, index } = JSON.parse(text) as { t: number; index: string | null };
  return { t, price: index };
}
