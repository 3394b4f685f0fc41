#!/usr/bin/env node
// Recomputes settled positions from downloaded files, without a network and without any of the exchange's code:
//   node tools/verify/verify.mjs settlement-….json [tape.jsonl …]
// Says of each file whether it holds, and ends with 1 where one does not.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** @param {unknown} value @returns {string} JSON with ordered keys */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`).join(',')}}`;
}
const PLACES = 18;
/** @param {string} text @returns {bigint} in units of the 18th decimal */
function units(text) {
  const [whole = '0', part = ''] = text.split('.');
  return BigInt(whole + part.padEnd(PLACES, '0').slice(0, PLACES));
}
/** @param {bigint} dividend @param {bigint} divisor @returns {bigint} rounded half to even; both positive */
function halfEven(dividend, divisor) {
  const [quotient, rest] = [dividend / divisor, dividend % divisor];
  const isUp = rest * 2n > divisor || (rest * 2n === divisor && quotient % 2n === 1n);
  return isUp ? quotient + 1n : quotient;
}
const [EIGHTH, ONE] = [10n ** 10n, 10n ** 18n];
/** @param {string} a @param {string} b @returns {bigint} cut to 8 decimals */
const cut = (a, b) => ((units(a) * units(b)) / ONE / EIGHTH) * EIGHTH;
/** @param {string} a @param {string} b @returns {bigint} rounded up to 8 decimals */
const up = (a, b) => ((units(a) * units(b) + ONE * EIGHTH - 1n) / (ONE * EIGHTH)) * EIGHTH;

/** @param {readonly string[]} texts @param {number} [digits] @returns {string | undefined} what is wrong with lines */
function chainFault(texts, digits) {
  let before;
  for (const text of texts) {
    const { hash, ...content } = JSON.parse(text);
    if (canonical({ ...content, hash }) !== text) return `line ${content.seq} is not canonical`;
    if (createHash('sha256').update(canonical(content)).digest('hex') !== hash)
      return `line ${content.seq} was changed`;
    if (before !== undefined && content.seq <= before.seq) return `line ${content.seq} is out of order`;
    if (content.seq === before?.seq + 1 && content.prev !== before.hash)
      return `line ${content.seq} does not follow`;
    const prices = content.sources.filter((source) => source.used).map(({ price }) => units(price));
    prices.sort((a, b) => (a < b ? -1 : 1));
    const half = prices.length >> 1;
    const [low, high] = [prices[half - 1], prices[half]];
    const exact = prices.length < 2 ? undefined : prices.length % 2 === 1 ? high * 2n : low + high;
    if ((exact === undefined) !== (content.index === null)) return `line ${content.seq} has another point`;
    const step = 10n ** BigInt(PLACES - (digits ?? 0));
    if (
      exact !== undefined &&
      digits !== undefined &&
      halfEven(exact, 2n * step) * step !== units(content.index)
    )
      return `line ${content.seq} has another point`;
    before = { seq: content.seq, hash };
  }
  return undefined;
}

/** @param {any} settlement @returns {string | undefined} what is wrong with a settled position */
function settlementFault({ terms, lines, result, credited, interval, entryPrice, settlePrice }) {
  const fault = chainFault(lines, terms.digits);
  if (fault !== undefined) return fault;
  const window = terms.seconds < 60 ? 1 : terms.seconds < 300 ? 3 : 5;
  if (terms.entryAt !== (Math.floor(terms.acceptedAt / 1000) + 1) * 1000) return 'another entry second';
  if (terms.expireAt !== terms.entryAt + terms.seconds * 1000 || terms.window !== window)
    return 'another expiry';
  const points = new Map(lines.map((text) => JSON.parse(text)).map(({ t, index }) => [t, index]));
  const seconds = Array.from({ length: window }, (_, at) => terms.expireAt - at * 1000);
  const needed = [terms.entryAt, ...seconds];
  const isVoid =
    interval === undefined
      ? needed.some((t) => (points.get(t) ?? null) === null)
      : needed.some((t) => t >= interval.from && t <= interval.to);
  let expected = 'void';
  if (interval !== undefined && !isVoid) return 'the interval does not touch it';
  if (!isVoid) {
    const step = 10n ** BigInt(PLACES - terms.digits);
    const total = seconds.reduce((all, t) => all + units(points.get(t)), 0n);
    const [entry, settle] = [units(points.get(terms.entryAt)), halfEven(total, BigInt(window) * step) * step];
    if (entry !== units(entryPrice) || settle !== units(settlePrice)) return 'another price';
    expected = settle === entry ? 'draw' : settle > entry === (terms.direction === 'up') ? 'win' : 'lose';
  }
  if (result !== expected) return `the result is ${expected}, not ${result}`;
  if (units(terms.fee) !== up(terms.stake, terms.feeRate)) return 'another fee';
  const back = { win: units(terms.stake) + cut(terms.stake, terms.profitRate), lose: 0n }[expected];
  return units(credited) === (back ?? units(terms.stake) + units(terms.fee)) ? undefined : 'another payout';
}

for (const path of process.argv.slice(2)) {
  const text = readFileSync(path, 'utf8');
  const fault = path.endsWith('.jsonl')
    ? chainFault(text.trimEnd().split('\n'))
    : settlementFault(JSON.parse(text));
  console.log(`${path}: ${fault ?? 'holds'}`);
  if (fault !== undefined) process.exitCode = 1;
}
