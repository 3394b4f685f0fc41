#!/usr/bin/env node
// Recomputes a proof of liabilities from a downloaded leaf, without a network and without code of the exchange:
//   node tools/verify/proofs.mjs liabilities-2026-11-24.json [keys.json]
// Prints `holds` or the fault of each file, but for keys only a fault. The exit code is 1 if there is a fault. If keys
// are given, the snapshot must be signed.
import { pathToFileURL } from 'node:url';
import { run } from './evidence.mjs';
import { canonical, sha256, signatureFault, units } from './tape.mjs';

const LEAVES_PER_USER = 4;

/**
 * @param {readonly { currency: string; amount: string }[]} list
 * @returns {Map<string, bigint>} in units of the 18th decimal; throws if a coin is listed twice
 */
function amountsOf(list) {
  const amounts = new Map(list.map(({ currency, amount }) => [currency, units(amount)]));
  if (amounts.size !== list.length) throw new Error('a coin stands twice');
  return amounts;
}

/** Formats an amount. @param {bigint} amount in units of the 18th decimal @returns {string} without trailing zeros */
function amountText(amount) {
  const digits = String(amount).padStart(19, '0');
  const part = digits.slice(-18).replace(/0+$/, '');
  return part === '' ? digits.slice(0, -18) : `${digits.slice(0, -18)}.${part}`;
}

/**
 * @param {Map<string, bigint>} amounts
 * @returns {string} the sums of a node in the form that is hashed, without zeros; throws if a name is no coin code
 */
function textOf(amounts) {
  const nonZero = [...amounts].filter(([, amount]) => amount !== 0n);
  if (nonZero.some(([coin]) => !/^[A-Z0-9]{1,20}$/.test(coin))) throw new Error('no coin');
  nonZero.sort(([first], [second]) => (first < second ? -1 : 1));
  return nonZero.map(([coin, amount]) => `${coin}:${amountText(amount)}`).join();
}

function sumOf(...summands) {
  const total = new Map();
  for (const amounts of summands)
    for (const [coin, amount] of amounts) total.set(coin, (total.get(coin) ?? 0n) + amount);
  return total;
}

/**
 * Computes the root of the Merkle tree from a leaf and its path.
 * @returns {{ hash: string; sums: Map<string, bigint> } | undefined} undefined if the path has the wrong form
 */
function rootFrom({ day, leaves: count }, { user, nonce }, { part, place, amounts, path }) {
  const userHash = sha256(`user|${day}|${nonce}|${user}`);
  let sums = amountsOf(amounts);
  let hash = sha256(`leaf|${day}|${userHash}|${part}|${textOf(sums)}`);
  let width = count;
  let index = place;
  for (const [level, neighbour] of path.entries()) {
    const neighbourSums = amountsOf(neighbour.amounts);
    const isAlone = index % 2 === 0 && index + 1 === width;
    if (isAlone && (neighbour.hash !== sha256(`padding|${day}|${level}`) || neighbourSums.size > 0))
      return undefined;
    const texts = [`${hash}|${textOf(sums)}`, `${neighbour.hash}|${textOf(neighbourSums)}`];
    if (index % 2 === 1) texts.reverse();
    hash = sha256(`node|${texts.join('|')}`);
    sums = sumOf(sums, neighbourSums);
    index = Math.floor(index / 2);
    width = Math.ceil(width / 2);
  }
  return width === 1 && index === 0 ? { hash, sums } : undefined;
}

/**
 * @param {any} document @param {{ keys: Map<string, any> }} [evidence]
 * @returns {string | undefined} what is wrong with the signature of the snapshot or with a user's
 *   leaves; undefined if nothing is wrong. Without keys the signature is not checked.
 */
export function leafFault({ snapshot, leaf }, evidence) {
  const { receipt, ...statement } = snapshot;
  if (evidence !== undefined && evidence.keys.size > 0) {
    const fault = signatureFault(`liabilities|${canonical(statement)}`, receipt, evidence.keys);
    if (fault !== undefined) return fault;
  }
  if (leaf === undefined) return undefined;
  const { leaves, amounts } = leaf;
  const isWhole = leaves.length === LEAVES_PER_USER && leaves.every(({ part }, at) => part === at);
  if (!isWhole || new Set(leaves.map(({ place }) => place)).size !== leaves.length)
    return 'another number of leaves';
  if (leaves.some(({ place }) => !Number.isInteger(place) || place < 0 || place >= statement.leaves))
    return 'a place that there is not';
  if (textOf(sumOf(...leaves.map((part) => amountsOf(part.amounts)))) !== textOf(amountsOf(amounts)))
    return 'the leaves are not the amounts';
  const totals = textOf(
    amountsOf(statement.totals.map(({ currency, owed }) => ({ currency, amount: owed }))),
  );
  for (const part of leaves) {
    const root = rootFrom(statement, leaf, part);
    if (root === undefined || root.hash !== statement.root)
      return `leaf ${part.part} does not lead to the root`;
    if (textOf(root.sums) !== totals) return `leaf ${part.part} leads to other totals`;
  }
  return undefined;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) run(leafFault);
