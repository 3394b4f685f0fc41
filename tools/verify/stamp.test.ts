import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { fileBytes, type Timestamp } from '../../apps/server/src/modules/stamps/opentimestamps.ts';
import { readHeader, stampVerdict } from './stamp.mjs';

/** The header of the Bitcoin block 358391, of 28 May 2015. */
const HEADER =
  '02000000b96394585a281b7e5f438fd1c9ed492645a1fd61cb3802040000000000000000007ee445d23ad061af4a36b809501fab1ac4f2d7e7a739817dd0cbb7ec661b8a1e376755f58616186272def6';
const HEIGHT = 358_391;
/**
 * Minimum number of hashes that creating a block header must take, as the exponent of a power of two: 2^66.
 * The real blocks of 2015 needed about 2^67 hashes.
 */
const WORK_OF_2015 = 66;
const BLOCK_SECONDS = 1_432_827_678;
const TIME = (BLOCK_SECONDS - 3_600) * 1_000;
const BOOK = '{"v":1}';
const BOOK_HASH = createHash('sha256').update(BOOK).digest('hex');
const STATEMENT = `stamp|${new Date(TIME).toISOString()}\ntape|btcusdt|61|1432820000000|${'ab'.repeat(32)}\nbook|btcusdt|9|1432820000000|${BOOK_HASH}\nliabilities|2015-05-28|${'cd'.repeat(32)}\n`;
const TOOL = fileURLToPath(new URL('stamp.mjs', import.meta.url));

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest();
const digest = sha256(STATEMENT);
const headerOf = (root: Buffer) => ({ root, seconds: BLOCK_SECONDS });

/** Returns a time stamp of `STATEMENT` whose proof attests `sha256(digest)` in the block at `HEIGHT`. */
function stamp() {
  const attestation: Timestamp = { items: [{ attestation: { kind: 'bitcoin', height: HEIGHT } }] };
  const ots = fileBytes(digest, { items: [{ operation: { kind: 'sha256' }, next: attestation }] });
  return { statement: STATEMENT, sha256: digest.toString('hex'), time: TIME, ots: ots.toString('base64') };
}
const evidence = {
  headers: new Map([[HEIGHT, headerOf(sha256(digest))]]),
  checkpoints: [{ symbol: 'btcusdt', seq: 61, hash: 'ab'.repeat(32) }],
  books: [{ text: BOOK, part: { symbol: 'btcusdt', seq: 9, hash: BOOK_HASH } }],
};

describe('the stand-alone verifier of time stamps', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stamps-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('STAMP-005 a real block header has its root, its time and its work; a changed or an easy header is refused', () => {
    const { root, seconds } = readHeader(HEADER, WORK_OF_2015);
    expect(root.toString('hex')).toBe('007ee445d23ad061af4a36b809501fab1ac4f2d7e7a739817dd0cbb7ec661b8a');
    expect(seconds).toBe(BLOCK_SECONDS);
    expect(() => readHeader(HEADER)).toThrow('too low a difficulty');
    expect(() => readHeader(`03${HEADER.slice(2)}`, WORK_OF_2015)).toThrow('no proof of work');
    expect(() => readHeader(HEADER.slice(2), WORK_OF_2015)).toThrow('80 bytes');
  });

  it('RPL-011 STAMP-005 accepts an honest stamp, says what to compare without a header, and finds each change', () => {
    expect(stampVerdict(stamp(), evidence)).toEqual({
      notes: [`it existed at ${new Date(BLOCK_SECONDS * 1_000).toISOString()} (block ${HEIGHT})`],
    });
    const root = Buffer.from(sha256(digest)).reverse().toString('hex');
    const none = { headers: new Map<number, never>(), checkpoints: [] };
    expect(stampVerdict(stamp(), none)).toEqual({
      notes: [`if block ${HEIGHT} has the Merkle root ${root}`],
    });
    const { ots: _, ...unanswered } = stamp();
    expect(stampVerdict(unanswered, evidence)).toEqual({ notes: ['no calendar has answered yet'] });
    const later = STATEMENT.replace('|61|', '|62|');
    const faults = [
      stampVerdict({ ...stamp(), statement: later }, evidence),
      stampVerdict({ ...stamp(), statement: later, sha256: sha256(later).toString('hex') }, evidence),
      stampVerdict({ ...stamp(), time: TIME + 1 }, evidence),
      stampVerdict(stamp(), { ...evidence, headers: new Map([[HEIGHT, headerOf(sha256('another'))]]) }),
      stampVerdict(stamp(), {
        ...evidence,
        headers: new Map([[HEIGHT, { root: sha256(digest), seconds: BLOCK_SECONDS - 86_400 }]]),
      }),
      stampVerdict(stamp(), {
        ...evidence,
        checkpoints: [{ symbol: 'btcusdt', seq: 61, hash: 'ef'.repeat(32) }],
      }),
      stampVerdict(stamp(), { ...evidence, books: [{ ...evidence.books[0]!, text: '{"v":2}' }] }),
    ];
    expect(faults.map((verdict) => ('fault' in verdict ? verdict.fault : 'holds'))).toEqual([
      'the statement has another SHA-256',
      'the proof is about something else',
      'the statement has another time',
      `block ${HEIGHT} has another Merkle root`,
      `block ${HEIGHT} is older than the statement`,
      'checkpoint 61 of btcusdt is not the stamped one',
      'part 9 of the recorded book of btcusdt is not the stamped one',
    ]);
  });

  it('STAMP-005 runs on downloaded files, and writes the files for the tools of OpenTimestamps', () => {
    const path = join(folder, 'stamp.json');
    writeFileSync(path, JSON.stringify({ code: 1, data: stamp() }));
    const bad = join(folder, 'bad.json');
    writeFileSync(bad, JSON.stringify({ ...stamp(), statement: 'stamp|\n' }));
    const checked = spawnSync(process.execPath, [TOOL, '--extract', path, bad], { encoding: 'utf8' });
    expect(checked.stdout).toContain(`${path}: holds, if block ${HEIGHT} has the Merkle root`);
    expect(checked.stdout).toContain(`${bad}: the statement has another SHA-256`);
    expect(checked.status).toBe(1);
    expect(readFileSync(`${path}.txt`, 'utf8')).toBe(STATEMENT);
    expect(readFileSync(`${path}.txt.ots`).toString('base64')).toBe(stamp().ots);
    expect(existsSync(`${bad}.txt`)).toBe(false);
  });
});
