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

/** What is published of a settled position, as `/proof/settlement` gives it. */
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
  /** Stake and fee that the house returned for a loss, because this period was declared void afterwards. */
  readonly refund?: { readonly amount: string; readonly from: number; readonly to: number } | undefined;
}

/** `times`: entry and expiry; `chain`: no line was changed; `points`: each follows from its sources; `result`; `payout`. */
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

/** What of each line is hashed: its content without the hash itself. A line that is broken has none. */
export function contentsOf(settlement: Pick<PublishedSettlement, 'lines'>): readonly string[] {
  return (parsed(settlement.lines) ?? []).map(({ hash: _, ...content }) => canonicalText(content));
}

/** Recomputes a result from what is published, and says of each check whether it holds. `hashes`: SHA-256 in hex of `contentsOf`. */
export function checkSettlement(
  settlement: PublishedSettlement,
  hashes: readonly string[],
): Readonly<Record<ProofCheck, boolean>> {
  const lines = parsed(settlement.lines);
  return {
    times: haveTimes(settlement.terms),
    chain: lines !== undefined && areChained(settlement.lines, lines, hashes),
    points: lines?.every((line) => isComposed(line, settlement.terms.digits)) === true,
    result: lines !== undefined && hasResult(settlement, lines),
    payout: hasPayout(settlement),
  };
}

function parsed(texts: readonly string[]): readonly Line[] | undefined {
  try {
    return texts.map((text) => JSON.parse(text) as Line);
  } catch {
    // Broken text is one of the faults that are looked for.
    return undefined;
  }
}

function haveTimes({
  acceptedAt,
  entryAt,
  expireAt,
  seconds,
  window,
}: PublishedSettlement['terms']): boolean {
  const isEntry = entryAt === entrySecond(instant(acceptedAt));
  return isEntry && expireAt === entryAt + seconds * SECOND_MS && window === windowOf(seconds);
}

function areChained(texts: readonly string[], lines: readonly Line[], hashes: readonly string[]): boolean {
  return lines.every((line, at) => {
    if (canonicalText(line) !== texts[at] || line.hash !== hashes[at]) return false;
    const before = lines[at - 1];
    if (before === undefined) return true;
    // Of a longer position the lines between its entry and its settlement are left out.
    return line.seq === before.seq + 1 ? line.prev === before.hash : line.seq > before.seq;
  });
}

function isComposed({ t, sources, index }: Line, digits: number): boolean {
  const quotes = sources.map(({ id, price, ts }) => ({ id, price: Decimal.parse(price), at: instant(ts) }));
  return (composeIndex(instant(t), quotes, digits).price?.toString() ?? null) === index;
}

function hasResult(settlement: PublishedSettlement, lines: readonly Line[]): boolean {
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
  const found = resultOf(direction, { entry: pointAt(entryAt), window: seconds.map(pointAt) }, digits);
  if (found.result === 'void') return result === 'void';
  const same = (price: Decimal, text: string | undefined) =>
    text !== undefined && price.equals(Decimal.parse(text));
  return found.result === result && same(found.entry, entryPrice) && same(found.settle, settlePrice);
}

/** A refund is of a loss that the void period touches, and returns stake and fee. */
function isRefundRight({ terms, result, refund }: PublishedSettlement): boolean {
  if (refund === undefined) return true;
  const seconds = [terms.entryAt, ...settlementSeconds(instant(terms.expireAt), terms.window)];
  const isTouched = seconds.some((t) => t >= refund.from && t <= refund.to);
  const paid = Decimal.parse(terms.stake).plus(Decimal.parse(terms.fee));
  return result === 'lose' && isTouched && paid.equals(Decimal.parse(refund.amount));
}

function hasPayout(settlement: PublishedSettlement): boolean {
  const { terms, result, credited } = settlement;
  if (result === undefined || credited === undefined || !isRefundRight(settlement)) return false;
  const [stake, fee] = [Decimal.parse(terms.stake), Decimal.parse(terms.fee)];
  const profit = profitOf(stake, Decimal.parse(terms.profitRate));
  return (
    fee.equals(secondsFee(stake, Decimal.parse(terms.feeRate))) &&
    settlementOf(result, { stake, profit, fee }).credited.equals(Decimal.parse(credited))
  );
}
