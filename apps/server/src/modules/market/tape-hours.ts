import { Decimal } from '@exchange/core/decimal.ts';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, gunzip, gzip } from 'node:zlib';
import { HOUR_MS, instant, later, type Instant } from '@exchange/core/time.ts';
import type { TapeHour, TapeRepository } from './tape-repository.ts';

/**
 * An hour of the index tape is packed only this many milliseconds after its end, because lines may
 * be written late.
 */
const SETTLED_AFTER_MS = 300_000;

/**
 * First byte of a packed hour of the index tape that is stored without hashes. Older hours, and hours whose
 * lines form no hash chain, are plain gzip, which begins with 0x1f.
 */
const WITHOUT_HASHES = 2;
const QUALITY = 10;
/** Number of tape lines processed before the event loop may handle other events. */
const LINES_PER_TURN = 300;
/** Length in milliseconds of the span of the index tape that is read at a time. */
const PART_MS = 300_000;

const compress = promisify(brotliCompress);
const expand = promisify(brotliDecompress);
const compressOld = promisify(gzip);
const expandOld = promisify(gunzip);

/**
 * Packs, for all given pairs, the oldest hour of the index tape that has lines stored singly (one row each). Returns
 * false, without packing, if there are no such lines or `SETTLED_AFTER_MS` have not passed since the end of that hour.
 */
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
  // Verifies that the hour can be read back before the single lines are deleted.
  await linesOfHour(closed);
  await tape.closeHour(closed);
}

/**
 * Packs the lines of an hour of the index tape and computes the digest of the complete lines. The
 * hashes would be half of the stored data and can be recomputed, so they are left out; only the
 * first line keeps the hash of its predecessor.
 */
async function packedLines(texts: readonly string[]): Promise<Pick<TapeHour, 'sha256' | 'lines'>> {
  const withoutHashes = texts.map((text, at) => {
    const content = text.replace(HASH, '');
    return at === 0 ? content : content.replace(PREVIOUS, '"prev":""');
  });
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY };
  const packed = await compress(Buffer.from(withoutHashes.join('\n')), { params });
  const sha256 = digest(whole(texts));
  // If the lines that are restored from the packed form differ from the original ones, the original lines are
  // no hash chain; then they are stored with their hashes.
  if (!digest(whole(await unpacked(packed))).equals(sha256))
    return { sha256, lines: await compressOld(whole(texts)) };
  return { sha256, lines: Buffer.concat([Buffer.of(WITHOUT_HASHES), packed]) };
}

const HASH = /"hash":"[0-9a-f]{64}",/;
const PREVIOUS = /"prev":"[0-9a-f]{64}"/;

/** The lines of a packed hour of the index tape. Throws if they do not match the stored digest. */
export async function linesOfHour({ symbol, hour, sha256, lines }: TapeHour): Promise<string[]> {
  const texts = lines[0] === WITHOUT_HASHES ? await unpacked(lines.subarray(1)) : await unpackedOld(lines);
  if (!digest(whole(texts)).equals(sha256)) throw new Error(`the tape of ${symbol} at ${hour} is damaged`);
  return texts;
}

async function unpacked(packed: Buffer): Promise<string[]> {
  const withoutHashes = (await expand(packed)).toString().split('\n');
  let previous = '';
  const lines: string[] = [];
  for (const [at, line] of withoutHashes.entries()) {
    const content = at === 0 ? line : line.replace('"prev":""', `"prev":"${previous}"`);
    previous = createHash('sha256').update(content).digest('hex');
    lines.push(content.replace('"index":', `"hash":"${previous}","index":`));
    // Unpacking an hour takes tens of milliseconds, so the event loop handles other events after every
    // `LINES_PER_TURN` lines.
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

/**
 * The index prices of a pair at the given seconds, by second: null if the tape line of a second has no price; seconds
 * without a line are missing.
 */
export async function tapePoints(
  tape: TapeRepository,
  symbol: string,
  seconds: readonly Instant[],
): Promise<ReadonlyMap<number, Decimal | null>> {
  const unpackedLines = await tape.linesAt(symbol, seconds);
  const points = new Map(unpackedLines.map(({ t, text }) => [t, pointOf(text)]));
  const missing = seconds.filter((t) => !points.has(t));
  // All lines of an hour move to its packed form in one transaction, so a line that is not stored singly is
  // in the packed hour or does not exist.
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

/**
 * The lines of a pair's index tape between two instants, both included, in order, whether they are stored
 * singly or in packed hours.
 */
export async function tapeLines(
  tape: TapeRepository,
  symbol: string,
  from: Instant,
  to: Instant,
): Promise<string[]> {
  const unpackedLines = await tape.lines(symbol, from, later(to, 1));
  const texts = new Map(unpackedLines.map(({ t, text }) => [t, text]));
  for (let hour = hourOf(from); hour <= to; hour = later(hour, HOUR_MS)) {
    const closed = await tape.hour(symbol, hour);
    if (closed === undefined) continue;
    for (const text of await linesOfHour(closed)) {
      const t = timeOf(text);
      if (t >= from && t <= to) texts.set(t, text);
    }
  }
  return [...texts].toSorted(([a], [b]) => a - b).map(([, text]) => text);
}

/**
 * Yields the lines of a pair's index tape between two instants, both included, in order, at most five minutes
 * at a time. The next part is read only when it is requested.
 */
export async function* tapeParts(
  tape: TapeRepository,
  symbol: string,
  from: Instant,
  to: Instant,
): AsyncGenerator<readonly string[], void> {
  let closed: { readonly hour: Instant; readonly lines: readonly string[] } | undefined;
  for (let start = from; start <= to;) {
    const hour = hourOf(start);
    const end = Math.min(later(start, PART_MS), later(hour, HOUR_MS), later(to, 1));
    const unpackedLines = await tape.lines(symbol, start, instant(end));
    // All lines of an hour move to its packed form in one transaction, so a line that is not stored singly is
    // in the packed hour or does not exist.
    if (unpackedLines.length === 0 && closed?.hour !== hour) {
      const storedHour = await tape.hour(symbol, hour);
      closed = { hour, lines: storedHour === undefined ? [] : await linesOfHour(storedHour) };
    }
    if (unpackedLines.length > 0) yield unpackedLines.map(({ text }) => text);
    else if (closed !== undefined)
      yield closed.lines.slice(firstIndexFrom(closed.lines, start), firstIndexFrom(closed.lines, end));
    start = instant(end);
  }
}

/**
 * Index of the first line at or after an instant, in tape lines ordered by time; the number of lines if there
 * is no such line.
 */
function firstIndexFrom(lines: readonly string[], t: number): number {
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
