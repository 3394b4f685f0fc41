#!/usr/bin/env node
// Recomputes how positions of funds began and ended, from their published proofs and the tape of the basket's coins:
//   node tools/verify/fund.mjs proof.json btcusdt.jsonl ethusdt.jsonl … [keys.json checkpoints.json manifest.json]
// Unit value = Σ weight × index ÷ divisor, 8 digits, half-even. Below leverage 2 nothing is liquidated; otherwise at the
// first value that leaves less than units × value × maintenance margin. Ends with 1 where something does not hold.
import { pathToFileURL } from 'node:url';
import { run } from './evidence.mjs';
import { ceil, EIGHTH, halfEven, ONE, units } from './tape.mjs';

const LIQUIDATED = 3;

/** The unit value of a second that may be dealt at, in units of the 18th decimal; undefined where there is none. */
function valueAt(t, { constituents, divisor }, lines) {
  let total = 0n;
  for (const { symbol, weight } of constituents) {
    const line = lines.get(`${symbol} ${t}`);
    if (line === undefined || line.index === null || line.flags.includes('degraded')) return undefined;
    total += units(line.index) * units(weight);
  }
  return halfEven(total * 10n ** 8n, units(divisor) * ONE) * EIGHTH;
}

/** Whether a value leaves a holding less than it has to keep; amounts in units of the 18th decimal. */
function isShort({ leverage, quantity, buyPrice, mmr }, { margin, costs }, value) {
  const [owned, buy] = [units(quantity), units(buyPrice)];
  const equity = (margin - costs) * ONE + owned * (value - buy);
  return leverage > 1 && equity * ONE < owned * value * units(mmr);
}

/** The value below which it is liquidated, rounded up to 18 digits; undefined where there is none. */
function thresholdOf({ leverage, quantity, buyPrice, margin, costs, mmr }) {
  const owed = units(quantity) * units(buyPrice) - (units(margin) - units(costs)) * ONE;
  return leverage > 1 && owed > 0n ? ceil(owed * ONE, units(quantity) * (ONE - units(mmr))) : undefined;
}

/** @param {any} proof @param {{ lines: Map<string, any> }} evidence @returns {string | undefined} what is wrong with a position */
export function positionFault(proof, { lines }) {
  const { openSecond, closeSecond, buyPrice, closePrice, status, threshold } = proof;
  const least = thresholdOf(proof);
  if ((threshold === undefined ? undefined : units(threshold)) !== least) return 'another threshold';
  if (valueAt(openSecond, proof, lines) !== units(buyPrice)) return 'another value at its purchase';
  if (closeSecond === undefined) return 'it is still held';
  if (closeSecond <= openSecond) return 'it ended before it began';
  const last = valueAt(closeSecond, proof, lines);
  if (last === undefined || last !== units(closePrice)) return 'another value at its end';
  const gap = gapIn(proof, lines);
  if (gap !== undefined) return gap;
  const held = { margin: units(proof.margin), costs: units(proof.costs) };
  if (isShort(proof, held, last) !== (status === LIQUIDATED)) return 'its end does not follow from the value';
  // Costs only ever grew and margin was only ever added; what is cut off a part that was sold is below the 8th digit.
  const best = { margin: held.margin + EIGHTH, costs: 0n };
  for (let t = openSecond + 1000; t < closeSecond; t += 1000) {
    const value = valueAt(t, proof, lines);
    if (value !== undefined && isShort(proof, best, value)) return `the value of ${t} had ended it already`;
  }
  return undefined;
}

/** Lines are numbered without a gap, so that one that was left out between purchase and end is noticed. */
function gapIn({ constituents, openSecond, closeSecond }, lines) {
  for (const { symbol } of constituents) {
    const [first, last] = [openSecond, closeSecond].map((t) => lines.get(`${symbol} ${t}`));
    let seen = 0;
    for (let t = openSecond; t <= closeSecond; t += 1000) if (lines.has(`${symbol} ${t}`)) seen += 1;
    if (last.seq - first.seq + 1 !== seen) return `lines of ${symbol} between purchase and end are missing`;
  }
  return undefined;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) run(positionFault);
