#!/usr/bin/env node
// Checks parts of the recorded order books from downloaded files, without a network and without code of the exchange:
//   node tools/verify/books.mjs book-btcusdt-812.json book-btcusdt-813.json … [keys.json]
// A file is the data of /proof/book. Prints `holds` or the fault of each file, of keys only a fault; the exit code is 1
// if there is a fault. With keys, parts must be signed. A part is also compared with the part before it, if that is
// given: its hash, and where the recording was not interrupted, its last levels.
import { pathToFileURL } from 'node:url';
import { run } from './evidence.mjs';
import { canonical, sha256, signatureFault, units } from './tape.mjs';

const ORIGIN = '0'.repeat(64);
/** Maximum number of levels per side that a part contains at its beginning; levels beyond them are not recorded. */
const LEVELS = 200;

/**
 * Returns whether the prices are all different and sorted, best first, and all amounts positive.
 * @param {readonly (readonly string[])[]} levels @param {boolean} isBuy @returns {boolean}
 */
const isOrdered = (levels, isBuy) =>
  levels.every(([price, amount], at) => {
    const before = levels[at - 1];
    const isBehind = before === undefined || units(before[0]) < units(price) !== isBuy;
    return isBehind && before?.[0] !== price && units(amount) > 0n;
  });

/**
 * Applies the changes of a part. @param {any} part
 * @returns {{ buy: Map<string, string>; sell: Map<string, string> }} the levels at the end of the part
 */
function lastLevels({ bids, asks, changes }) {
  const sides = { buy: new Map(bids), sell: new Map(asks) };
  for (const [, , , levels] of changes)
    for (const [side, price, amount] of levels) {
      if (units(amount) === 0n) sides[side].delete(price);
      else sides[side].set(price, amount);
    }
  return sides;
}

/**
 * Returns whether a part begins with the levels with which another part ends. Levels are compared only up to
 * the prices to which both parts recorded them. @param {any} before @param {any} part @returns {boolean}
 */
function followsFrom(before, part) {
  const last = lastLevels(before);
  return [
    { side: last.buy, ended: before.bids, begun: part.bids, isBuy: true },
    { side: last.sell, ended: before.asks, begun: part.asks, isBuy: false },
  ].every(({ side, ended, begun, isBuy }) => {
    const edges = [ended, begun].flatMap((levels) =>
      levels.length === LEVELS ? [units(levels.at(-1)[0])] : [],
    );
    const isKnown = ([price]) => edges.every((edge) => (isBuy ? units(price) >= edge : units(price) <= edge));
    const known = (levels) => canonical(Object.fromEntries([...levels].filter(isKnown)));
    return known(side) === known(begun);
  });
}

/** @param {any} part @returns {string | undefined} what is wrong with the content of a part */
function contentFault({ bids, asks, changes, from, until }) {
  if (!isOrdered(bids, true) || !isOrdered(asks, false)) return 'its first levels are out of order';
  if (bids.length > LEVELS || asks.length > LEVELS || until < from) return 'it has another extent';
  for (const [at, [step, time, commitMs]] of changes.entries()) {
    const before = changes[at - 1];
    if (before !== undefined && (step <= before[0] || time < before[1]))
      return `step ${step} is out of order`;
    if (commitMs < 0) return `step ${step} was committed before it was matched`;
  }
  return undefined;
}

/**
 * @param {any} document data of /proof/book @param {any} [evidence]
 * @returns {string | undefined} what is wrong with a published part of an order book's history; undefined if
 *   nothing is wrong
 */
export function bookFault({ text, part: published }, evidence) {
  if (text === undefined) return 'it has no part';
  const part = JSON.parse(text);
  if (part.v !== 1 || canonical(part) !== text) return 'the text is not canonical';
  const { symbol, seq, prev, from, until, changes } = part;
  const hash = sha256(text);
  if (hash !== published.hash) return 'the text was changed';
  const described = [published.symbol, published.seq, published.from, published.until, published.changes];
  if (canonical(described) !== canonical([symbol, seq, from, until, changes.length]))
    return 'it is described otherwise';
  const fault = contentFault(part);
  if (fault !== undefined) return fault;
  if (evidence === undefined) return undefined;
  if (evidence.keys.size > 0) {
    const signed = ['book', symbol, seq, until, hash].join('|');
    const signFault = signatureFault(signed, published, evidence.keys);
    if (signFault !== undefined) return signFault;
  }
  if (seq === 1 && prev !== ORIGIN) return 'the first part follows another';
  const others = evidence.documents
    .map(([, { text: otherText = '{}' }]) => otherText)
    .map((otherText) => [JSON.parse(otherText), otherText]);
  const [before, beforeText] =
    others.find(([other]) => other.symbol === symbol && other.seq === seq - 1) ?? [];
  if (before === undefined) return undefined;
  if (sha256(beforeText) !== prev) return `it does not follow part ${before.seq}`;
  if (!part.continues) return undefined;
  return before.until === from && followsFrom(before, part)
    ? undefined
    : `it does not begin where part ${before.seq} ends`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) run(bookFault);
