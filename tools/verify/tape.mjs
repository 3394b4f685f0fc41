// Functions that the verifiers share, for amounts, the hash-chained tape of the index price, and signatures. This file
// only uses Node.js and neither the network nor packages nor code of the exchange.
import { createHash, createPublicKey, verify } from 'node:crypto';

/** @param {unknown} value @returns {string} JSON with ordered keys */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`).join(',')}}`;
}
export const sha256 = (text) => createHash('sha256').update(text).digest('hex');
export const [EIGHTH, ONE] = [10n ** 10n, 10n ** 18n];
/** @param {string} text @returns {bigint} in units of the 18th decimal; throws if the text is no amount */
export function units(text) {
  if (!/^\d+(\.\d{1,18})?$/.test(text)) throw new Error(`"${text}" is no amount`);
  const [whole, part = ''] = text.split('.');
  return BigInt(whole + part.padEnd(18, '0'));
}
/** @param {bigint} dividend @param {bigint} divisor @returns {bigint} rounded half to even; both positive */
export function halfEven(dividend, divisor) {
  const [quotient, rest] = [dividend / divisor, dividend % divisor];
  const isUp = rest * 2n > divisor || (rest * 2n === divisor && quotient % 2n === 1n);
  return isUp ? quotient + 1n : quotient;
}
export const ceil = (dividend, divisor) => (dividend + divisor - 1n) / divisor;

const decimalsOf = ({ index }) => (index ?? '').split('.')[1]?.length ?? 0;
/**
 * Returns whether the index, the flags and the marks of the sources (`used`, `outlier`) of a tape line are correct. The
 * index is the median of the usable sources, or for an even number the mean of the two middle prices, rounded half to
 * even to `digits` decimals. It is null if there are fewer than two usable sources. A source is usable if its price is
 * positive, not later than the line and at most three seconds older than the line. If there are more than two usable
 * sources, one whose price differs from the median by more than 2 % is an outlier.
 */
function isIndexRight({ t, index, flags, sources }, digits) {
  const counts = ({ price, ts }) => ts <= t && ts >= t - 3000 && units(price) > 0n;
  const prices = sources.filter(counts).map(({ price }) => units(price));
  prices.sort((a, b) => (a < b ? -1 : 1));
  const half = prices.length >> 1;
  const twice = prices.length % 2 === 1 ? prices[half] * 2n : prices[half - 1] + prices[half];
  const median = prices.length < 2 ? undefined : halfEven(twice, 2n);
  const isFar = (price) =>
    prices.length > 2 && (price < median ? median - price : price - median) > (median * 2n) / 100n;
  const votes = sources.map((source) => counts(source) && isFar(units(source.price)));
  if (sources.some((source, at) => source.used !== counts(source) || source.outlier !== votes[at]))
    return false;
  const flagsOfCount = prices.length < 2 ? ['insufficient'] : prices.length === 2 ? ['degraded'] : [];
  if (canonical(flags) !== canonical(votes.includes(true) ? [...flagsOfCount, 'outlier'] : flagsOfCount))
    return false;
  if (median === undefined) return index === null;
  const step = 10n ** BigInt(18 - digits);
  return index !== null && halfEven(median, step) * step === units(index);
}

/**
 * @param {readonly string[]} texts
 * @param {number} [digits] decimals of the index price; by default the most that a line has
 * @returns {string | undefined} what is wrong with lines of one pair
 */
export function tapeFault(texts, digits) {
  const lines = texts.map((text) => JSON.parse(text));
  const places = digits ?? Math.max(0, ...lines.map(decimalsOf));
  for (const [at, line] of lines.entries()) {
    const { hash, ...content } = line;
    const before = lines[at - 1];
    if (line.v !== 1 || canonical(line) !== texts[at]) return `line ${line.seq} is not canonical`;
    if (sha256(canonical(content)) !== hash) return `line ${line.seq} was changed`;
    if (line.t % 1000 !== 0 || line.seq <= before?.seq || line.t <= before?.t)
      return `line ${line.seq} is out of order`;
    if (before && before.symbol !== line.symbol) return `line ${line.seq} belongs to another pair`;
    if (line.seq === before?.seq + 1 && line.prev !== before.hash) return `line ${line.seq} does not follow`;
    if (!isIndexRight(line, places)) return `line ${line.seq} has another point`;
  }
  return undefined;
}

/**
 * @param {{ id: string; algorithm: string; publicKey: string }} entry @returns {[string, any]} the key by its id;
 * throws if the id is not derived from the key
 */
export function keyOf({ id, algorithm, publicKey }) {
  const key = createPublicKey(publicKey);
  const name = sha256(key.export({ format: 'der', type: 'spki' })).slice(0, 16);
  const isWhole = algorithm === 'Ed25519' && key.asymmetricKeyType === 'ed25519' && name === id;
  if (!isWhole || key.export({ format: 'pem', type: 'spki' }) !== publicKey) throw new Error('another key');
  return [id, key];
}

/**
 * Throws if a key other than the oldest was not appointed by its predecessor or has not countersigned.
 * @param {any[]} entries keys as published @returns {Map<string, any>} the keys by their ids
 */
export function keysOf(entries) {
  const keys = new Map(entries.map(keyOf));
  const firsts = entries.filter(({ handover }) => handover === undefined);
  if (entries.length > 0 && firsts.length !== 1) throw new Error('keys without a handover');
  for (const { id, handover } of entries) {
    if (handover === undefined) continue;
    const { from, at, signature, countersignature } = handover;
    const text = ['handover', from, id, at].join('|');
    const fault =
      signatureFault(text, { key: from, signature }, keys) ??
      signatureFault(text, { key: id, signature: countersignature }, keys);
    if (from === id || fault !== undefined) throw new Error('a handover that was not signed');
  }
  return keys;
}

/**
 * @param {string} text @param {any} signed @param {Map<string, any>} keys
 * @returns {string | undefined} what is wrong with a signature
 */
export function signatureFault(text, { key, signature }, keys) {
  if (!keys.has(key)) return 'signed with an unknown key';
  const bytes = Buffer.from(signature, 'base64');
  const isPlain = bytes.toString('base64') === signature;
  return isPlain && verify(null, Buffer.from(text), keys.get(key), bytes) ? undefined : 'another signature';
}
