#!/usr/bin/env node
// Checks the exchange's time stamps, which servers outside of the exchange have made. Needs neither a network nor code
// of the exchange:
//   node tools/verify/stamp.mjs stamp-2026-11-27T20.json [block-871234.txt …] [checkpoints.json …] [book-….json …]
// A stamp is the data of /proof/stamp. A block is a text file with the 80 bytes of a Bitcoin block's header in hex,
// from any node or block explorer. The name of the file contains the height. Prints `holds` or the fault of each stamp,
// with the time that the blocks attest. If a header is missing, prints what to compare. The exit code is 1 if there is
// a fault. With --extract, the program also writes the statement and the .ots file for the tools of OpenTimestamps next
// to each stamp.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';

const MAGIC = '004f70656e54696d657374616d7073000050726f6f6600bf89e2e884e8929401';
const HASHES = new Map([
  [0x02, 'sha1'],
  [0x03, 'ripemd160'],
  [0x08, 'sha256'],
]);
const BITCOIN = '0588960d73d71901';
const HEADER_BYTES = 80;
/** Maximum depth of nested operations in a proof; the depth of real proofs is about fifty. */
const DEPTH_MAX = 200;
/**
 * Minimum number of hashes that are necessary to create a block header, as the exponent of a power of two:
 * 2^72. Blocks of 2026 need 2^79 hashes. Without a minimum, a forger could create a header with a low
 * difficulty.
 */
const WORK_BITS = 72;
/**
 * Maximum number of seconds by which the time in a block's header may be before that of the time stamp, because the
 * clocks of miners differ.
 */
const CLOCK_SECONDS = 7_200;

/** @param {Buffer | string} content @returns {Buffer} */
const sha256 = (content) => createHash('sha256').update(content).digest();

/**
 * Reads a number in groups of seven bits, lowest group first, and moves `place` to its end. Throws if it has
 * more than five groups.
 * @param {Buffer} content @param {{ at: number }} place @returns {number}
 */
function numberAt(content, place) {
  let value = 0;
  for (let group = 0; group < 5; group += 1) {
    const byte = byteAt(content, place);
    value += (byte % 128) * 128 ** group;
    if (byte < 128) return value;
  }
  throw new Error('a number is too large');
}

/**
 * Returns the next byte and moves `place` to its end. Throws at the end of the content.
 * @param {Buffer} content @param {{ at: number }} place @returns {number}
 */
function byteAt(content, place) {
  const byte = content[place.at];
  if (byte === undefined) throw new Error('the proof ends too early');
  place.at += 1;
  return byte;
}

/**
 * Returns the next `count` bytes of a proof from `place.at`, which is then increased by `count`. Throws if the proof
 * has fewer bytes. @param {Buffer} content @param {{ at: number }} place @param {number} count @returns {Buffer}
 */
function bytesAt(content, place, count) {
  const bytes = content.subarray(place.at, place.at + count);
  if (bytes.length !== count) throw new Error('the proof ends too early');
  place.at += count;
  return bytes;
}

/**
 * Performs the operations of a proof on a message. Throws if the proof is malformed or nested too deeply.
 * @param {Buffer} content @param {{ at: number }} place @param {Buffer} message @param {number} depth
 * @returns {{ height: number | undefined; message: Buffer }[]} the attested messages; `height` is undefined if the
 * attestation is not that of a Bitcoin block
 */
function attestations(content, place, message, depth = 0) {
  if (depth > DEPTH_MAX) throw new Error('the proof has too many nested operations');
  const found = [];
  for (let hasMore = true; hasMore;) {
    let tag = byteAt(content, place);
    hasMore = tag === 0xff;
    if (hasMore) tag = byteAt(content, place);
    if (tag === 0x00) {
      const kind = bytesAt(content, place, 8).toString('hex');
      const payload = bytesAt(content, place, numberAt(content, place));
      found.push({ height: kind === BITCOIN ? numberAt(payload, { at: 0 }) : undefined, message });
    } else if (HASHES.has(tag)) {
      const next = createHash(HASHES.get(tag)).update(message).digest();
      found.push(...attestations(content, place, next, depth + 1));
    } else if (tag === 0xf0 || tag === 0xf1) {
      const argument = bytesAt(content, place, numberAt(content, place));
      const next = Buffer.concat(tag === 0xf0 ? [message, argument] : [argument, message]);
      found.push(...attestations(content, place, next, depth + 1));
    } else throw new Error(`the proof has the unknown operation ${tag}`);
  }
  return found;
}

/**
 * Reads the digest and the attested messages of a proof. Throws if the file is malformed.
 * @param {Buffer} file a detached file of OpenTimestamps
 * @returns {{ digest: Buffer; attested: { height: number | undefined; message: Buffer }[] }}
 */
export function readProof(file) {
  const magic = Buffer.from(MAGIC, 'hex');
  if (!file.subarray(0, magic.length).equals(magic)) throw new Error('no file of OpenTimestamps');
  const place = { at: magic.length };
  if (byteAt(file, place) !== 0x08) throw new Error('the digest is no SHA-256');
  const digest = bytesAt(file, place, 32);
  const attested = attestations(file, place, digest);
  if (place.at !== file.length) throw new Error('the proof has bytes after its end');
  return { digest, attested };
}

/**
 * Reads a block's header. Throws if it has another length, no proof of work or too low a difficulty.
 * @param {string} hex 80 bytes
 * @param {number} [workBits] exponent of the power of two that is the minimum number of hashes for the header
 * @returns {{ root: Buffer; seconds: number }} the Merkle root in the byte order of the header, and the block's time
 */
export function readHeader(hex, workBits = WORK_BITS) {
  const header = Buffer.from(hex.trim(), 'hex');
  if (header.length !== HEADER_BYTES) throw new Error('a block header has 80 bytes');
  const bits = header.readUInt32LE(72);
  const target = BigInt(bits & 0x7fffff) * 256n ** BigInt(Math.max(0, (bits >>> 24) - 3));
  const hash = BigInt(
    `0x${Buffer.from(sha256(sha256(header)))
      .reverse()
      .toString('hex')}`,
  );
  if (target > 2n ** BigInt(256 - workBits)) throw new Error('the header has too low a difficulty');
  if (hash > target) throw new Error('the header has no proof of work');
  return { root: header.subarray(36, 68), seconds: header.readUInt32LE(68) };
}

/**
 * @param {any} stamp data of /proof/stamp
 * @param {{ headers: Map<number, { root: Buffer; seconds: number }>; checkpoints: readonly any[];
 * books?: readonly any[] }} evidence
 * @returns {{ fault: string } | { notes: string[] }} the fault, or the information that the proof contains
 */
export function stampVerdict(
  { statement, sha256: published, time, ots },
  { headers, checkpoints, books = [] },
) {
  const digest = sha256(statement);
  if (digest.toString('hex') !== published) return { fault: 'the statement has another SHA-256' };
  const [heading = '', ...lines] = statement.split('\n').slice(0, -1);
  if (heading !== `stamp|${new Date(time).toISOString()}`) return { fault: 'the statement has another time' };
  const hashes = new Map();
  for (const line of lines) {
    const [kind, symbol, ...rest] = line.split('|');
    hashes.set(`${kind} ${symbol} ${rest[0]}`, rest[2]);
  }
  for (const { symbol, seq, hash } of checkpoints)
    if ((hashes.get(`tape ${symbol} ${seq}`) ?? hash) !== hash)
      return { fault: `checkpoint ${seq} of ${symbol} is not the stamped one` };
  for (const { text, part } of books)
    if ((hashes.get(`book ${part.symbol} ${part.seq}`) ?? part.hash) !== sha256(text).toString('hex'))
      return { fault: `part ${part.seq} of the recorded book of ${part.symbol} is not the stamped one` };
  if (ots === undefined) return { notes: ['no calendar has answered yet'] };
  const proof = readProof(Buffer.from(ots, 'base64'));
  if (!proof.digest.equals(digest)) return { fault: 'the proof is about something else' };
  const notes = [];
  for (const { height, message } of proof.attested) {
    if (height === undefined) continue;
    const header = headers.get(height);
    if (header === undefined) {
      const root = Buffer.from(message).reverse().toString('hex');
      notes.push(`if block ${height} has the Merkle root ${root}`);
    } else if (!header.root.equals(message)) return { fault: `block ${height} has another Merkle root` };
    else if (header.seconds + CLOCK_SECONDS < time / 1000)
      return { fault: `block ${height} is older than the statement` };
    else notes.push(`it existed at ${new Date(header.seconds * 1000).toISOString()} (block ${height})`);
  }
  return { notes: notes.length === 0 ? ['its calendars wait for a block'] : notes };
}

/**
 * Checks the statements in the files and prints `holds` or the fault of each; sets the exit code to 1 if
 * there is a fault.
 * @param {readonly string[]} paths
 * @param {boolean} extracts whether the text of each correct statement and its proof are also written to
 * files
 */
function run(paths, extracts) {
  const headers = new Map();
  const checkpoints = [];
  const books = [];
  const stamps = [];
  const report = (path, fault, notes = []) => {
    console.log(`${path}: ${fault ?? 'holds'}${notes.length === 0 ? '' : `, ${notes.join(', ')}`}`);
    if (fault !== undefined) process.exitCode = 1;
  };
  for (const path of paths) {
    try {
      const text = readFileSync(path, 'utf8');
      const height = /\d+/.exec(basename(path))?.[0];
      if (/^\s*[0-9a-f]+\s*$/i.test(text) && height !== undefined)
        headers.set(Number(height), readHeader(text));
      else {
        const parsed = JSON.parse(text);
        const document = parsed.data ?? parsed;
        if (Array.isArray(document.checkpoints)) checkpoints.push(...document.checkpoints);
        else if (document.part !== undefined) books.push(document);
        else stamps.push([path, document]);
      }
    } catch (cause) {
      report(path, cause.message);
    }
  }
  for (const [path, stamp] of stamps) {
    try {
      const verdict = stampVerdict(stamp, { headers, checkpoints, books });
      if ('fault' in verdict) {
        report(path, verdict.fault);
        continue;
      }
      report(path, undefined, verdict.notes);
      if (!extracts) continue;
      writeFileSync(`${path}.txt`, stamp.statement);
      if (stamp.ots !== undefined) writeFileSync(`${path}.txt.ots`, Buffer.from(stamp.ots, 'base64'));
    } catch (cause) {
      report(path, cause.message);
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const parameters = process.argv.slice(2);
  run(
    parameters.filter((parameter) => parameter !== '--extract'),
    parameters.includes('--extract'),
  );
}
