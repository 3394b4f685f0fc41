import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { HOUR_MS, instant, later, type Instant } from '@exchange/core/time.ts';
import type { TapeHour, TapeRepository } from './tape-repository.ts';

/** Lines of a second may still be on their way this long after it. */
const SETTLED_AFTER_MS = 300_000;

const compress = promisify(gzip);
const expand = promisify(gunzip);

/** Closes the oldest full hour of the tape that is still in single lines; true when there was one. */
export async function closeOldestHour(
  tape: TapeRepository,
  symbols: readonly string[],
  now: Instant,
): Promise<boolean> {
  const oldest = await tape.oldestLoose();
  if (oldest === undefined) return false;
  const hour = instant(Math.floor(oldest / HOUR_MS) * HOUR_MS);
  if (later(hour, HOUR_MS + SETTLED_AFTER_MS) > now) return false;
  for (const symbol of symbols) await closeHour(tape, symbol, hour);
  return true;
}

async function closeHour(tape: TapeRepository, symbol: string, hour: Instant): Promise<void> {
  const lines = await tape.lines(symbol, hour, later(hour, HOUR_MS));
  const [first] = lines;
  const last = lines.at(-1);
  if (first === undefined || last === undefined) return;
  const text = Buffer.from(lines.map((line) => `${line.text}\n`).join(''));
  const closed = {
    symbol,
    hour,
    firstSeq: first.seq,
    last,
    sha256: digest(text),
    lines: await compress(text),
  };
  // Read back before the single lines go.
  await linesOfHour(closed);
  await tape.closeHour(closed);
}

/** The lines of a closed hour; throws when they are not what was closed. */
export async function linesOfHour({ symbol, hour, sha256, lines }: TapeHour): Promise<string[]> {
  const text = await expand(lines);
  if (!digest(text).equals(sha256)) throw new Error(`the tape of ${symbol} at ${hour} is damaged`);
  return text.toString().split('\n').slice(0, -1);
}

function digest(text: Buffer): Buffer {
  return createHash('sha256').update(text).digest();
}
