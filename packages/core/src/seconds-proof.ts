import { canonicalText } from './canonical.ts';
import { Decimal } from './decimal.ts';
import { composeIndex } from './index-price.ts';
import {
  entrySecond,
  profitOf,
  resultOf,
  secondsFee,
  settlementOf,
  settlementSeconds,
  windowOf,
  type Direction,
  type SecondsResult,
} from './seconds.ts';
import { instant, SECOND_MS } from './time.ts';

/** Published data of a settled position, as in the answer of `/proof/settlement`. */
export interface PublishedSettlement {
  readonly terms: {
    readonly symbol: string;
    readonly direction: Direction;
    readonly stake: string;
    readonly fee: string;
    readonly feeRate: string;
    readonly profitRate: string;
    readonly seconds: number;
    readonly window: number;
    readonly digits: number;
    readonly acceptedAt: number;
    readonly entryAt: number;
    readonly expireAt: number;
  };
  readonly result?: SecondsResult | undefined;
  readonly entryPrice?: string | undefined;
  readonly settlePrice?: string | undefined;
  readonly credited?: string | undefined;
  readonly lines: readonly string[];
  readonly interval?: { readonly from: number; readonly to: number } | undefined;
  /**
   * Amount in USDT that was returned for a lost position (stake and fee), because the exchange later declared
   * the period from `from` to `to` of the index void. Undefined if nothing was returned.
   */
  readonly refund?: { readonly amount: string; readonly from: number; readonly to: number } | undefined;
}

/**
 * Checks of a published settlement. `times`: the times of entry and expiry are correct. `chain`: the lines of the index
 * tape are unchanged. `points`: each index point follows from the quotes of its price sources. `result` and `payout`:
 * they follow from the index points and the terms.
 */
export const PROOF_CHECKS = ['times', 'chain', 'points', 'result', 'payout'] as const;
export type ProofCheck = (typeof PROOF_CHECKS)[number];

interface Line {
  readonly seq: number;
  readonly t: number;
  readonly symbol: string;
  readonly index: string | null;
  readonly prev: string;
  readonly hash: string;
  readonly sources: readonly { id: string; price: string; ts: number }[];
}

/**
 * Returns the hashed content of each line of the index tape, which is the line without its hash. Returns an empty list
 * if a line is not valid JSON.
 */
export function contentsOf(settlement: Pick<PublishedSettlement, 'lines'>): readonly string[] {
  return (parseLines(settlement.lines) ?? []).map(({ hash: _, ...content }) => canonicalText(content));
}

/**
 * Recomputes the settlement of a position of the seconds contract from published data, and returns the result of each
 * check. `hashes` are the SHA-256 hashes of the texts that `contentsOf` returns, in hex.
 */
export function checkSettlement(
  settlement: PublishedSettlement,
  hashes: readonly string[],
): Readonly<Record<ProofCheck, boolean>> {
  const lines = parseLines(settlement.lines);
  return {
    times: areTimesCorrect(settlement.terms),
    chain: lines !== undefined && isChainIntact(settlement.lines, lines, hashes),
    points: lines?.every((line) => followsFromSources(line, settlement.terms.digits)) === true,
    result: lines !== undefined && isResultCorrect(settlement, lines),
    payout: isPayoutCorrect(settlement),
  };
}

function parseLines(texts: readonly string[]): readonly Line[] | undefined {
  try {
    return texts.map((text) => JSON.parse(text) as Line);
  } catch {
    // A settlement with an invalid line of the index tape fails the checks of the lines. No error is thrown.
    return undefined;
  }
}

function areTimesCorrect({
  acceptedAt,
  entryAt,
  expireAt,
  seconds,
  window,
}: PublishedSettlement['terms']): boolean {
  const isEntry = entryAt === entrySecond(instant(acceptedAt));
  return isEntry && expireAt === entryAt + seconds * SECOND_MS && window === windowOf(seconds);
}

function isChainIntact(texts: readonly string[], lines: readonly Line[], hashes: readonly string[]): boolean {
  return lines.every((line, index) => {
    if (canonicalText(line) !== texts[index] || line.hash !== hashes[index]) return false;
    const previous = lines[index - 1];
    if (previous === undefined) return true;
    // For a position with a long duration, only the tape lines at entry and at settlement are published. Their sequence
    // numbers may therefore have gaps.
    return line.seq === previous.seq + 1 ? line.prev === previous.hash : line.seq > previous.seq;
  });
}

function followsFromSources({ t, sources, index }: Line, digits: number): boolean {
  const quotes = sources.map(({ id, price, ts }) => ({ id, price: Decimal.parse(price), at: instant(ts) }));
  return (composeIndex(instant(t), quotes, digits).price?.toString() ?? null) === index;
}

function isResultCorrect(settlement: PublishedSettlement, lines: readonly Line[]): boolean {
  const { terms, result, interval, entryPrice, settlePrice } = settlement;
  const { symbol, entryAt, expireAt, window, direction, digits } = terms;
  const seconds = settlementSeconds(instant(expireAt), window);
  const pointAt = (t: number) => {
    const index = lines.find((line) => line.t === t && line.symbol === symbol)?.index ?? null;
    return index === null ? null : Decimal.parse(index);
  };
  if (interval !== undefined) {
    const isTouched = [entryAt, ...seconds].some((t) => t >= interval.from && t <= interval.to);
    return isTouched && result === 'void';
  }
  const recomputed = resultOf(direction, { entry: pointAt(entryAt), window: seconds.map(pointAt) }, digits);
  if (recomputed.result === 'void') return result === 'void';
  const equalsText = (price: Decimal, text: string | undefined) =>
    text !== undefined && price.equals(Decimal.parse(text));
  return (
    recomputed.result === result &&
    equalsText(recomputed.entry, entryPrice) &&
    equalsText(recomputed.settle, settlePrice)
  );
}

/**
 * A refund is correct if the position was lost, the void period contains the second of the position's entry
 * or one of its settlement seconds, and the refunded amount is stake plus fee. A settlement without a refund
 * is correct, too.
 */
function isRefundCorrect({ terms, result, refund }: PublishedSettlement): boolean {
  if (refund === undefined) return true;
  const seconds = [terms.entryAt, ...settlementSeconds(instant(terms.expireAt), terms.window)];
  const isTouched = seconds.some((t) => t >= refund.from && t <= refund.to);
  const paid = Decimal.parse(terms.stake).plus(Decimal.parse(terms.fee));
  return result === 'lose' && isTouched && paid.equals(Decimal.parse(refund.amount));
}

function isPayoutCorrect(settlement: PublishedSettlement): boolean {
  const { terms, result, credited } = settlement;
  if (result === undefined || credited === undefined || !isRefundCorrect(settlement)) return false;
  const [stake, fee] = [Decimal.parse(terms.stake), Decimal.parse(terms.fee)];
  const profit = profitOf(stake, Decimal.parse(terms.profitRate));
  return (
    fee.equals(secondsFee(stake, Decimal.parse(terms.feeRate))) &&
    settlementOf(result, { stake, profit, fee }).credited.equals(Decimal.parse(credited))
  );
}
