#!/usr/bin/env node
// Recomputes how positions in leveraged funds were opened and closed, from their published proofs and the tape of the
// basket's coins:
//   node tools/verify/fund.mjs proof.json btcusdt.jsonl ethusdt.jsonl … [keys.json checkpoints.json manifest.json]
// Unit value = Σ weight × index ÷ divisor, rounded half to even to 8 digits. With leverage 1 there is no liquidation.
// With a higher leverage a position is liquidated at the first unit value at which its equity is below units × unit
// value × maintenance margin rate.
// The exit code is 1 if a file does not verify.
import { pathToFileURL } from 'node:url';
import { run } from './evidence.mjs';
import { ceil, EIGHTH, halfEven, ONE, units } from './tape.mjs';

const LIQUIDATED = 3;

/**
 * Returns the unit value of a second, in units of the 18th decimal, rounded half to even to eight decimals. Returns
 * undefined if a coin has no line or no reliable index in that second.
 */
function valueAt(t, { constituents, divisor }, lines) {
  let total = 0n;
  for (const { symbol, weight } of constituents) {
    const line = lines.get(`${symbol} ${t}`);
    if (line === undefined || line.index === null || line.flags.includes('degraded')) return undefined;
    total += units(line.index) * units(weight);
  }
  return halfEven(total * 10n ** 8n, units(divisor) * ONE) * EIGHTH;
}

/**
 * Returns whether the equity at `value` is below the maintenance margin; always false for a position without leverage.
 * Amounts are in units of the 18th decimal.
 */
function isShort({ leverage, quantity, buyPrice, mmr }, { margin, costs }, value) {
  const [owned, buy] = [units(quantity), units(buyPrice)];
  const equity = (margin - costs) * ONE + owned * (value - buy);
  return leverage > 1 && equity * ONE < owned * value * units(mmr);
}

/**
 * Returns the unit value of a leveraged fund below which a user's position in it is liquidated, in units of the 18th
 * decimal, rounded up. Returns undefined if no unit value liquidates the position, such as with leverage 1.
 */
function thresholdOf({ leverage, quantity, buyPrice, margin, costs, mmr }) {
  const owed = units(quantity) * units(buyPrice) - (units(margin) - units(costs)) * ONE;
  return leverage > 1 && owed > 0n ? ceil(owed * ONE, units(quantity) * (ONE - units(mmr))) : undefined;
}

/**
 * @param {any} proof @param {{ lines: Map<string, any> }} evidence
 * @returns {string | undefined} what is wrong with a position in a leveraged fund
 */
export function positionFault(proof, { lines }) {
  const { openSecond, closeSecond, buyPrice, closePrice, status, threshold } = proof;
  const expectedThreshold = thresholdOf(proof);
  if ((threshold === undefined ? undefined : units(threshold)) !== expectedThreshold)
    return 'another threshold';
  if (valueAt(openSecond, proof, lines) !== units(buyPrice)) return 'another value at its purchase';
  if (closeSecond === undefined) return 'it is still held';
  if (closeSecond <= openSecond) return 'it ended before it began';
  const last = valueAt(closeSecond, proof, lines);
  if (last === undefined || last !== units(closePrice)) return 'another value at its end';
  const gap = gapIn(proof, lines);
  if (gap !== undefined) return gap;
  const final = { margin: units(proof.margin), costs: units(proof.costs) };
  if (isShort(proof, final, last) !== (status === LIQUIDATED))
    return 'its end does not follow from the value';
  // A unit value before the close is a fault only if the position would have been liquidated at it even with the
  // highest possible equity. Until the position was closed, costs only increased and margin was only added, so the
  // equity was at most that with the final margin and no costs. `EIGHTH` covers the rounding of partial sales.
  const best = { margin: final.margin + EIGHTH, costs: 0n };
  for (let t = openSecond + 1000; t < closeSecond; t += 1000) {
    const value = valueAt(t, proof, lines);
    if (value !== undefined && isShort(proof, best, value)) return `the value of ${t} had ended it already`;
  }
  return undefined;
}

/**
 * Returns a fault if lines of the tape between purchase and close are missing; the lines of the tape are numbered
 * without gaps.
 */
function gapIn({ constituents, openSecond, closeSecond }, lines) {
  for (const { symbol } of constituents) {
    const [first, last] = [openSecond, closeSecond].map((t) => lines.get(`${symbol} ${t}`));
    let count = 0;
    for (let t = openSecond; t <= closeSecond; t += 1000) if (lines.has(`${symbol} ${t}`)) count += 1;
    if (last.seq - first.seq + 1 !== count) return `lines of ${symbol} between purchase and end are missing`;
  }
  return undefined;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) run(positionFault);
