import { Decimal } from '@exchange/core/decimal.ts';
import { HOUR_MS, instant, later, type Instant } from '@exchange/core/time.ts';
import { linesOfHour } from './tape-hours.ts';
import type { TapeRepository } from './tape-repository.ts';

/** The points of these seconds: null where the tape has a line without one, absent where it has no line. */
export async function tapePoints(
  tape: TapeRepository,
  symbol: string,
  seconds: readonly Instant[],
): Promise<ReadonlyMap<number, Decimal | null>> {
  const loose = await tape.linesAt(symbol, seconds);
  const points = new Map(loose.map(({ t, text }) => [t, pointOf(text)]));
  const missing = seconds.filter((t) => !points.has(t));
  // Lines leave for their hour all at once, so what is not here any more is there by now.
  for (const hour of new Set(missing.map(hourOf))) {
    const closed = await tape.hour(symbol, hour);
    if (closed === undefined) continue;
    for (const text of await linesOfHour(closed)) {
      const t = timeOf(text);
      if (missing.some((second) => second === t)) points.set(t, pointOf(text));
    }
  }
  return points;
}

/** The lines between two instants, both included, in order. */
export async function tapeLines(
  tape: TapeRepository,
  symbol: string,
  from: Instant,
  to: Instant,
): Promise<string[]> {
  const loose = await tape.lines(symbol, from, later(to, 1));
  const texts = new Map(loose.map(({ t, text }) => [t, text]));
  for (let hour = hourOf(from); hour <= to; hour = later(hour, HOUR_MS)) {
    const closed = await tape.hour(symbol, hour);
    if (closed === undefined) continue;
    for (const text of await linesOfHour(closed)) {
      const t = timeOf(text);
      if (t >= from && t <= to) texts.set(t, text);
    }
  }
  return [...texts].toSorted(([one], [other]) => one - other).map(([, text]) => text);
}

function hourOf(t: Instant): Instant {
  return instant(Math.floor(t / HOUR_MS) * HOUR_MS);
}

function timeOf(text: string): number {
  return (JSON.parse(text) as { t: number }).t;
}

function pointOf(text: string): Decimal | null {
  const { index } = JSON.parse(text) as { index: string | null };
  return index === null ? null : Decimal.parse(index);
}
