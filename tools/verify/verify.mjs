#!/usr/bin/env node
// Recomputes settled positions of the seconds contract from downloaded files, without a network and without code of
// the exchange:
//   node tools/verify/verify.mjs settlement-….json [keys.json config.json checkpoints.json manifest.json
// btcusdt-….jsonl …]
// Prints `holds` or the fault of each file, but for keys and manifests only a fault. The exit code is 1 if there is a
// fault. If keys are given, settlements must be signed.
import { pathToFileURL } from 'node:url';
import { checkpointFault, run, termsFault } from './evidence.mjs';
import { canonical, ceil, EIGHTH, halfEven, ONE, signatureFault, tapeFault, units } from './tape.mjs';

/** @param {string} a @param {string} b @returns {bigint} in units of 1e-18, rounded down to 8 decimals */
const productDown = (a, b) => ((units(a) * units(b)) / ONE / EIGHTH) * EIGHTH;
/** @param {string} a @param {string} b @returns {bigint} in units of 1e-18, rounded up to 8 decimals */
const productUp = (a, b) => ceil(units(a) * units(b), ONE * EIGHTH) * EIGHTH;

/**
 * @param {any} settlement @param {any} [evidence]
 * @returns {string | undefined} what is wrong with a settled position
 */
export function settlementFault(settlement, evidence) {
  const { lines, terms, result, credited, interval, ...statement } = settlement;
  const fault =
    tapeFault(lines, terms.digits) ?? timesFault(terms) ?? (evidence && signFault(settlement, evidence));
  if (fault !== undefined) return fault;
  const points = new Map(lines.map((text) => JSON.parse(text)).map((line) => [line.t, line]));
  if ([...points.values()].some(({ symbol }) => symbol !== terms.symbol)) return 'lines of another pair';
  const seconds = Array.from({ length: terms.window }, (_, at) => terms.expireAt - at * 1000);
  const needed = [terms.entryAt, ...seconds];
  const indexAt = (t) => points.get(t)?.index ?? null;
  let expected = 'void';
  let reason = indexAt(terms.entryAt) === null ? 'noEntryPoint' : 'noSettlementPoint';
  if (interval !== undefined) {
    reason = 'interval';
    if (!needed.some((t) => t >= interval.from && t <= interval.to)) return 'the interval does not touch it';
  } else if (needed.every((t) => indexAt(t) !== null)) {
    const step = 10n ** BigInt(18 - terms.digits);
    const total = seconds.reduce((sum, t) => sum + units(indexAt(t)), 0n);
    const [entry, settle] = [
      units(indexAt(terms.entryAt)),
      halfEven(total, BigInt(terms.window) * step) * step,
    ];
    if (entry !== units(statement.entryPrice) || settle !== units(statement.settlePrice))
      return 'another price';
    expected = settle === entry ? 'draw' : settle > entry === (terms.direction === 'up') ? 'win' : 'lose';
    reason = undefined;
  }
  if (statement.refund !== undefined) {
    const { amount, from, to } = statement.refund;
    if (result !== 'lose') return 'a refund of a position that did not lose';
    if (!needed.some((t) => t >= from && t <= to)) return 'the refund is for a period that does not touch it';
    if (units(amount) !== units(terms.stake) + units(terms.fee)) return 'another refund';
  }
  if (result !== expected) return `the result is ${expected}, not ${result}`;
  if (statement.reason !== reason) return 'another reason';
  if (units(terms.fee) !== productUp(terms.stake, terms.feeRate)) return 'another fee';
  const payout = { win: units(terms.stake) + productDown(terms.stake, terms.profitRate), lose: 0n }[expected];
  return units(credited) === (payout ?? units(terms.stake) + units(terms.fee)) ? undefined : 'another payout';
}

function timesFault({ seconds, acceptedAt, entryAt, expireAt, window, direction }) {
  if (entryAt !== (Math.floor(acceptedAt / 1000) + 1) * 1000) return 'another entry second';
  if (expireAt !== entryAt + seconds * 1000) return 'another expiry';
  if (window !== (seconds < 60 ? 1 : seconds < 300 ? 3 : 5)) return 'another settlement window';
  return ['up', 'down'].includes(direction) ? undefined : 'no direction';
}

/**
 * Returns a fault if the signature or the checkpoint of a settlement is wrong, if its terms were not offered,
 * or if its lines differ from those of the given index tape; otherwise undefined. A check is omitted if its
 * files are not given.
 */
function signFault({ lines, checkpoint, receipt, ...statement }, evidence) {
  const { keys, hashes } = evidence;
  const { terms } = statement;
  for (const { symbol, seq, hash } of lines.map((text) => JSON.parse(text)))
    if ((hashes.get(`${symbol} ${seq}`) ?? hash) !== hash) return `line ${seq} is not that of the tape`;
  if (checkpoint !== undefined && (checkpoint.symbol !== terms.symbol || checkpoint.t < terms.expireAt))
    return 'a checkpoint of something else';
  const fault = (checkpoint && checkpointFault(checkpoint, evidence)) ?? termsFault(terms, evidence);
  if (fault !== undefined || keys.size === 0) return fault;
  if (receipt === undefined) return 'it is not signed';
  return signatureFault(`settlement|${canonical(statement)}`, receipt, keys);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) run(settlementFault);
