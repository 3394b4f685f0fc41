import { Decimal, least } from './decimal.ts';
import { shortOf } from './funds.ts';
import { refusal, type Refusal } from './refusal.ts';
import { runToEnd, mapSliced, sortSliced, type Slices } from './slices.ts';
import { DAY_MS, later, type Instant } from './time.ts';

/** Version of the rule that allocates tokens. The published result file contains it. */
export const ALLOCATION_VERSION = 'wf-1';
const COST_PLACES = 8;

/** Terms of a token sale. Amounts are in tokens unless a comment states another unit. */
export interface SaleTerms {
  /** Number of tokens that the sale offers. Those that are not allocated stay unsold. */
  readonly issueAmount: Decimal;
  /** Number of tokens that one unit of the quote coin pays for; may have decimals. */
  readonly ratio: Decimal;
  /** Maximum number of tokens for one participant. */
  readonly hardCapUser: Decimal;
  readonly tokenDigits: number;
}

/**
 * Allocates the tokens of a sale by water-filling. A participant's bound is the hard cap or the number of tokens that
 * the commitment pays for, whichever is less. All tokens are shared in proportion to the commitments. Participants
 * whose share reaches their bound receive the bound and leave, and the remaining tokens are shared among the others,
 * until no further participant leaves. Results are rounded down to the token's decimals, and the rest stays unsold.
 * Every commitment must be positive; their order has no effect.
 *
 * The share per unit of commitment never falls when participants leave. They therefore leave in the order of bound per
 * commitment, and one pass after a sort is sufficient, in O(n log n).
 */
export function allocate(commitments: readonly Decimal[], terms: SaleTerms): Decimal[] {
  return runToEnd(allocation(commitments, terms));
}

/** Allocates the tokens like `allocate`, as a computation that pauses after each slice of commitments. */
export function* allocation(commitments: readonly Decimal[], terms: SaleTerms): Slices<Decimal[]> {
  const { issueAmount, ratio, hardCapUser, tokenDigits } = terms;
  const bounds = yield* mapSliced(commitments, (amount) => boundOf(amount, ratio, hardCapUser));
  // The largest commitments come first, because their bound per unit of commitment is the smallest.
  const order = yield* sortSliced([...commitments.keys()], (a, b) =>
    commitments[b]!.compare(commitments[a]!),
  );
  let remaining = issueAmount.atoms;
  let committed = 0n;
  yield* mapSliced(commitments, ({ atoms }) => (committed += atoms));
  let isShared = false;
  const parts = yield* mapSliced(order, (index) => {
    const [amount, bound] = [commitments[index]!.atoms, bounds[index]!.atoms];
    isShared ||= remaining * amount < bound * committed;
    if (isShared) return Decimal.ofAtoms((remaining * amount) / committed);
    remaining -= bound;
    committed -= amount;
    return bounds[index]!;
  });
  const allocated: Decimal[] = Array.from({ length: commitments.length }, () => Decimal.zero);
  yield* mapSliced(order, (index, nth) => {
    allocated[index] = parts[nth]!.times(Decimal.one, 'down', tokenDigits);
  });
  return allocated;
}

/**
 * Returns the tokens that a commitment receives at least if no further commitments are made: its proportional
 * share, at most its amount times the sale's ratio and at most the maximum per user. It receives more if
 * other participants reach their own maximum. `committed` is the sum of all commitments.
 */
export function leastAllocation(amount: Decimal, committed: Decimal, terms: SaleTerms): Decimal {
  if (!amount.isPositive()) return Decimal.zero;
  const share = Decimal.ofAtoms((terms.issueAmount.atoms * amount.atoms) / committed.atoms);
  const bound = boundOf(amount, terms.ratio, terms.hardCapUser);
  return least(bound, share).times(Decimal.one, 'down', terms.tokenDigits);
}

/** Estimates of the tokens that a commitment will receive, before the sale ends. */
export interface AllocationRange {
  /**
   * Number of tokens in proportion to the current commitments, at most the commitment times the sale's ratio
   * and at most the maximum per user. The sale allocates more if other participants reach their own maximum.
   */
  readonly estimate: Decimal;
  /**
   * Number of tokens under the assumption that others commit more until the sum of all commitments has
   * doubled.
   */
  readonly ifDoubled: Decimal;
  /** The maximum number of tokens that the commitment can receive, whatever other participants commit. */
  readonly most: Decimal;
}

/**
 * Returns three numbers of tokens that a commitment could receive, computed before the sale ends: with the
 * present sum of all commitments (`committed`, including this one), with twice this sum, and at most.
 */
export function allocationRange(amount: Decimal, committed: Decimal, terms: SaleTerms): AllocationRange {
  const bound = boundOf(amount, terms.ratio, terms.hardCapUser);
  return {
    estimate: leastAllocation(amount, committed, terms),
    ifDoubled: leastAllocation(amount, committed.plus(committed), terms),
    most: least(bound, terms.issueAmount).times(Decimal.one, 'down', terms.tokenDigits),
  };
}

/**
 * Returns the cost of tokens in the quote coin, rounded up to 8 decimals. `ratio` is the number of tokens
 * that one unit of the quote coin pays for.
 */
export function costOf(tokens: Decimal, ratio: Decimal): Decimal {
  return tokens.over(ratio, 'up', COST_PLACES);
}

function boundOf(amount: Decimal, ratio: Decimal, hardCap: Decimal): Decimal {
  return least(hardCap, amount.times(ratio, 'down'));
}

/**
 * Release schedule of sold tokens. No token is released before the cliff. At the cliff all are released, or from then
 * on they are released linearly over time.
 */
export interface Vesting {
  readonly listAt: Instant;
  /** Days from the listing of the token to the cliff. */
  readonly lockDays: number;
  /** Days after the cliff over which the tokens are released linearly. With 0 all are released at the cliff. */
  readonly linearDays: number;
}

export function cliffOf({ listAt, lockDays }: Vesting): Instant {
  return later(listAt, lockDays * DAY_MS);
}

/** Returns the time at which all tokens are released. */
export function releasedAt(vesting: Vesting): Instant {
  return later(cliffOf(vesting), vesting.linearDays * DAY_MS);
}

/** Returns how much of a token amount is released at `now`, claimed or not. It is rounded down to 8 decimals. */
export function releasedOf(total: Decimal, vesting: Vesting, now: Instant): Decimal {
  const since = now - cliffOf(vesting);
  if (since < 0) return Decimal.zero;
  const duration = vesting.linearDays * DAY_MS;
  if (since >= duration) return total;
  return total.times(Decimal.ofWhole(since), 'down').over(Decimal.ofWhole(duration), 'down', COST_PLACES);
}

/**
 * Returns how much of a token amount is released at `now`, rounded down to the token's decimals. When all is released,
 * it is the whole amount.
 */
export function releasedIn(digits: number, total: Decimal, vesting: Vesting, now: Instant): Decimal {
  const released = releasedOf(total, vesting, now);
  return released.isLess(total) ? released.times(Decimal.one, 'down', digits) : total;
}

/**
 * Status of a token sale: before the sale (`warming`), during it (`participating`), after it (`open`), and finished
 * (`closed`), i.e. refunded or with all tokens released.
 */
export type ProjectStatus = 'warming' | 'participating' | 'open' | 'closed';

/** Times that determine the status of a token sale. */
export interface ProjectTimes extends Vesting {
  readonly startAt: Instant;
  readonly endAt: Instant;
  /** True if the token sale was refunded, because it missed its soft cap or because an operator ended it. */
  readonly isOver: boolean;
}

export function projectStatus(project: ProjectTimes, now: Instant): ProjectStatus {
  if (project.isOver || now >= releasedAt(project)) return 'closed';
  if (now < project.startAt) return 'warming';
  return now < project.endAt ? 'participating' : 'open';
}

export interface CommitmentLimits {
  readonly quote: string;
  readonly quoteDigits: number;
  readonly minAmount: Decimal;
  readonly maxAmount: Decimal;
}

/**
 * Returns a refusal if a user cannot add the amount to their commitment to a token sale; otherwise undefined.
 * `mine` is the commitment so far. The amount must be positive, have at most `quoteDigits` decimals and be
 * within the balance, and the sum of both must be within `minAmount` and `maxAmount`. Screens and server both
 * use this check.
 */
export function commitProblem(
  { quote, quoteDigits, minAmount, maxAmount }: CommitmentLimits,
  amount: Decimal,
  { mine, available }: { readonly mine: Decimal; readonly available: Decimal },
): Refusal | undefined {
  const details = { field: 'amount', value: amount.toString(), unit: quote };
  if (!amount.isPositive()) return refusal('invalidField', 'l.field_positive', details);
  if (!amount.fits(quoteDigits))
    return refusal('invalidField', 'l.amount_decimals', { ...details, limit: String(quoteDigits) });
  const fewest = minAmount.minus(mine);
  if (amount.isLess(fewest))
    return refusal('belowMinimum', 'l.amount_min', { ...details, limit: fewest.toString() });
  const most = maxAmount.minus(mine);
  if (amount.isMore(most))
    return refusal('aboveMaximum', 'l.subscribe_user_max', { ...details, limit: most.toString() });
  return shortOf({ needed: amount, available, asset: quote, field: 'amount' });
}

/**
 * Returns a refusal if a user cannot reduce their commitment to a token sale by the amount; otherwise
 * undefined. The amount must be positive, have at most `quoteDigits` decimals and be at most the commitment
 * (`mine`), and what remains must be zero or at least `minAmount`.
 */
export function reduceProblem(
  { quote, minAmount, quoteDigits }: CommitmentLimits,
  amount: Decimal,
  mine: Decimal,
): Refusal | undefined {
  const details = { field: 'amount', value: amount.toString(), unit: quote };
  if (!amount.isPositive()) return refusal('invalidField', 'l.field_positive', details);
  if (!amount.fits(quoteDigits))
    return refusal('invalidField', 'l.amount_decimals', { ...details, limit: String(quoteDigits) });
  if (amount.isMore(mine))
    return refusal('aboveMaximum', 'l.amount_max', { ...details, limit: mine.toString() });
  const remainder = mine.minus(amount);
  return remainder.isZero() || !remainder.isLess(minAmount)
    ? undefined
    : refusal('aboveMaximum', 'l.subscribe_keeps_min', { ...details, limit: minAmount.toString() });
}
