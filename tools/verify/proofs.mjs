#!/usr/bin/env node
// Recomputes a proof of liabilities from a downloaded leaf, without a network and without any of the exchange's code:
//   node tools/verify/proofs.mjs liabilities-2026-11-24.json [keys.json]
// Says of each file whether it holds, and ends with 1 where one does not. With keys the snapshot has to be signed.
import { pathToFileURL } from 'node:url';
import { run } from './evidence.mjs';
import { canonical, sha256, signatureFault, units } from './tape.mjs';

const LEAVES_PER_USER = 4;

/** @param {readonly { currency: string; amount: string }[]} list @returns {Map<string, bigint>} in units of the 18th decimal */
function amountsOf(list) {
  const amounts = new Map(list.map(({ currency, amount }) => [currency, units(amount)]));
  if (amounts.size !== list.length) throw new Error('a coin stands twice');
  return amounts;
}

/** @param {bigint} amount @returns {string} without trailing zeros */
function written(amount) {
  const digits = String(amount).padStart(19, '0');
  const part = digits.slice(-18).replace(/0+$/, '');
  return part === '' ? digits.slice(0, -18) : `${digits.slice(0, -18)}.${part}`;
}

/** @param {Map<string, bigint>} amounts @returns {string} what of a node's sums is hashed */
function textOf(amounts) {
  const held = [...amounts].filter(([, amount]) => amount !== 0n);
  if (held.some(([coin]) => !/^[A-Z0-9]{1,20}$/.test(coin))) throw new Error('no coin');
  held.sort(([one], [other]) => (one < other ? -1 : 1));
  return held.map(([coin, amount]) => `${coin}:${written(amount)}`).join();
}

function added(...all) {
  const total = new Map();
  for (const amounts of all)
    for (const [coin, amount] of amounts) total.set(coin, (total.get(coin) ?? 0n) + amount);
  return total;
}

/** @returns {{ hash: string; sums: Map<string, bigint> } | undefined} the root that a leaf leads to; undefined where its way has another form */
function topOf({ day, leaves: count }, { user, nonce }, { part, place, amounts, path }) {
  const own = sha256(`user|${day}|${nonce}|${user}`);
  let sums = amountsOf(amounts);
  let hash = sha256(`leaf|${day}|${own}|${part}|${textOf(sums)}`);
  let wide = count;
  let at = place;
  for (const [level, neighbour] of path.entries()) {
    const beside = amountsOf(neighbour.amounts);
    const isAlone = at % 2 === 0 && at + 1 === wide;
    if (isAlone && (neighbour.hash !== sha256(`padding|${day}|${level}`) || beside.size > 0))
      return undefined;
    const texts = [`${hash}|${textOf(sums)}`, `${neighbour.hash}|${textOf(beside)}`];
    if (at % 2 === 1) texts.reverse();
    hash = sha256(`node|${texts.join('|')}`);
    sums = added(sums, beside);
    at = Math.floor(at / 2);
    wide = Math.ceil(wide / 2);
  }
  return wide === 1 && at === 0 ? { hash, sums } : undefined;
}

/** @param {any} document @param {{ keys: Map<string, any> }} [evidence] @returns {string | undefined} what is wrong with a user's leaves */
export function leafFault({ snapshot, leaf }, evidence) {
  const { receipt, ...said } = snapshot;
  if (evidence !== undefined && evidence.keys.size > 0) {
    const fault = signatureFault(`liabilities|${canonical(said)}`, receipt, evidence.keys);
    if (fault !== undefined) return fault;
  }
  if (leaf === undefined) return undefined;
  const { leaves, amounts } = leaf;
  const isWhole = leaves.length === LEAVES_PER_USER && leaves.every(({ part }, at) => part === at);
  if (!isWhole || new Set(leaves.map(({ place }) => place)).size !== leaves.length)
    return 'another number of leaves';
  if (leaves.some(({ place }) => !Number.isInteger(place) || place < 0 || place >= said.leaves))
    return 'a place that there is not';
  if (textOf(added(...leaves.map((one) => amountsOf(one.amounts)))) !== textOf(amountsOf(amounts)))
    return 'the leaves are not the amounts';
  const totals = textOf(amountsOf(said.totals.map(({ currency, owed }) => ({ currency, amount: owed }))));
  for (const one of leaves) {
    const top = topOf(said, leaf, one);
    if (top === undefined || top.hash !== said.root) return `leaf ${one.part} does not lead to the root`;
    if (textOf(top.sums) !== totals) return `leaf ${one.part} leads to other totals`;
  }
  return undefined;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) run(leafFault);
