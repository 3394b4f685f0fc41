import { Decimal } from '@exchange/core/decimal.ts';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, gunzip, gzip } from 'node:zlib';
import { HOUR_MS, instant, later, type Instant } from '@exchange/core/time.ts';
import type { TapeHour, TapeRepository } from './tape-repository.ts';

/** Lines of a second may still be on their way this long after it. */
const SETTLED_AFTER_MS = 300_000;

/** The first byte of hours in which hashes are left out. Older ones are plain gzip, which begins with 0x1f. */
const WITHOUT_HASHES = 2;
const QUALITY = 10;
/** So many lines are worked on before others have their turn. */
const LINES_PER_TURN = 300;
/** So much of the tape is read at a time for whoever takes it part by part. */
const PART_MS = 300_000;

const compress = promisify(brotliCompress);
const expand = promisify(brotliDecompress);
const compressOld = promisify(gzip);
const expandOld = promisify(gunzip);

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
  const texts = lines.map((line) => line.text);
  const closed = {
    symbol,
    hour,
    firstSeq: first.seq,
    last,
    ...(await packedLines(texts)),
  };
  // Read back before the single lines go.
  await linesOfHour(closed);
  await tape.closeHour(closed);
}

/**
 * Lines in the form of a closed hour, and the digest of them whole. A line's hash, and the one before it that it names,
 * are half of what would be stored, and follow from the rest: only the first line keeps its predecessor's.
 */
async function packedLines(texts: readonly string[]): Promise<Pick<TapeHour, 'sha256' | 'lines'>> {
  const bare = texts.map((text, at) => {
    const content = text.replace(HASH, '');
    return at === 0 ? content : content.replace(PREVIOUS, '"prev":""');
  });
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY };
  const packed = await compress(Buffer.from(bare.join('\n')), { params });
  const sha256 = digest(whole(texts));
  // Where lines do not follow each other something is wrong with the tape; then it is kept as it is.
  if (!digest(whole(await unpacked(packed))).equals(sha256))
    return { sha256, lines: await compressOld(whole(texts)) };
  return { sha256, lines: Buffer.concat([Buffer.of(WITHOUT_HASHES), packed]) };
}

const HASH = /"hash":"[0-9a-f]{64}",/;
const PREVIOUS = /"prev":"[0-9a-f]{64}"/;

/** The lines of a closed hour; throws when they are not what was closed. */
export async function linesOfHour({ symbol, hour, sha256, lines }: TapeHour): Promise<string[]> {
  const texts = lines[0] === WITHOUT_HASHES ? await unpacked(lines.subarray(1)) : await unpackedOld(lines);
  if (!digest(whole(texts)).equals(sha256)) throw new Error(`the tape of ${symbol} at ${hour} is damaged`);
  return texts;
}

async function unpacked(packed: Buffer): Promise<string[]> {
  const bare = (await expand(packed)).toString().split('\n');
  let previous = '';
  const lines: string[] = [];
  for (const [at, line] of bare.entries()) {
    const content = at === 0 ? line : line.replace('"prev":""', `"prev":"${previous}"`);
    previous = createHash('sha256').update(content).digest('hex');
    lines.push(content.replace('"index":', `"hash":"${previous}","index":`));
    // An hour of lines takes tens of milliseconds; nobody else waits so long.
    if (lines.length % LINES_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return lines;
}

async function unpackedOld(lines: Buffer): Promise<string[]> {
  return (await expandOld(lines)).toString().split('\n').slice(0, -1);
}

function whole(texts: readonly string[]): Buffer {
  return Buffer.from(texts.map((text) => `${text}\n`).join(''));
}

function digest(text: Buffer): Buffer {
  return createHash('sha256').update(text).digest();
}

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

/**
 * The lines between two instants, both included, in order, some minutes of them at a time: the next ones are read only
 * when they are asked for.
 */
export async function* tapeParts(
  tape: TapeRepository,
  symbol: string,
  from: Instant,
  to: Instant,
): AsyncGenerator<readonly string[], void> {
  let closed: { readonly hour: Instant; readonly lines: readonly string[] } | undefined;
  for (let begin = from; begin <= to;) {
    const hour = hourOf(begin);
    const end = Math.min(later(begin, PART_MS), later(hour, HOUR_MS), later(to, 1));
    const loose = await tape.lines(symbol, begin, instant(end));
    // Lines leave for their hour all at once, so what is not loose any more is there by now.
    if (loose.length === 0 && closed?.hour !== hour) {
      const found = await tape.hour(symbol, hour);
      closed = { hour, lines: found === undefined ? [] : await linesOfHour(found) };
    }
    if (loose.length > 0) yield loose.map(({ text }) => text);
    else if (closed !== undefined)
      yield closed.lines.slice(firstFrom(closed.lines, begin), firstFrom(closed.lines, end));
    begin = instant(end);
  }
}

/** The place of the first line at or after an instant in lines by time. */
function firstFrom(lines: readonly string[], t: number): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (timeOf(lines[middle]!) < t) low = middle + 1;
    else high = middle;
  }
  return low;
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
