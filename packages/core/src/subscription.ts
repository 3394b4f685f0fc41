import { Decimal, least } from './decimal.ts';
import { shortOf } from './funds.ts';
import { refusal, type Refusal } from './refusal.ts';
import { runToEnd, mapSliced, sortSliced, type Slices } from './slices.ts';
import { DAY_MS, later, type Instant } from './time.ts';

/** Version of the token allocation rule; part of the published result file. */
export const ALLOCATION_VERSION = 'wf-1';
const COST_PLACES = 8;

/** Terms of a token sale; amounts are in tokens unless noted otherwise. */
export interface SaleTerms {
  /** Number of tokens in the sale. */
  readonly issueAmount: Decimal;
  /** Number of tokens per unit of the quote coin. */
  readonly ratio: Decimal;
  /** Greatest number of tokens for one participant. */
  readonly hardCapUser: Decimal;
  readonly tokenDigits: number;
}

/**
 * Allocates tokens by water-filling. A participant's bound is the hard cap or the tokens that the commitment
 * pays for, whichever is less. The remaining tokens are shared in proportion to commitments; participants
 * whose share reaches their bound receive the bound and leave, until nobody leaves. Results are rounded down
 * to the token's decimals, and the remainder stays unsold. The order of commitments does not matter; each
 * must be positive.
 *
 * The share per unit of commitment never falls as participants leave, so that they leave in the order of
 * bound per commitment: one pass after a sort, O(n log n).
 */
export function allocate(commitments: readonly Decimal[], terms: SaleTerms): Decimal[] {
  return runToEnd(allocation(commitments, terms));
}

/** Like `allocate`, as a sliced computation that pauses at intervals. */
export function* allocation(commitments: readonly Decimal[], terms: SaleTerms): Slices<Decimal[]> {
  const { issueAmount, ratio, hardCapUser, tokenDigits } = terms;
  const bounds = yield* mapSliced(commitments, (amount) => boundOf(amount, ratio, hardCapUser));
  // Sorts the largest commitments first, because they have the smallest maximum per unit of commitment.
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
 * The least allocation of a commitment: its proportional share, limited by its bound. It grows if other
 * participants reach their bounds. `committed` is the sum of all commitments.
 */
export function leastAllocation(amount: Decimal, committed: Decimal, terms: SaleTerms): Decimal {
  if (!amount.isPositive()) return Decimal.zero;
  const share = Decimal.ofAtoms((terms.issueAmount.atoms * amount.atoms) / committed.atoms);
  const bound = boundOf(amount, terms.ratio, terms.hardCapUser);
  return least(bound, share).times(Decimal.one, 'down', terms.tokenDigits);
}

/** Estimates of the tokens that a commitment will receive, before the sale ends. */
export interface AllocationRange {
  /** The share in proportion to current commitments; it grows if other participants reach their maximum. */
  readonly estimate: Decimal;
  /** The share if all other commitments grow until the total doubles. */
  readonly ifDoubled: Decimal;
  /** The greatest number of tokens that the commitment can receive, whatever other participants commit. */
  readonly most: Decimal;
}

/**
 * The expected allocation of a commitment before the sale ends. `committed` is the sum of all commitments,
 * including this one.
 */
export function allocationRange(amount: Decimal, committed: Decimal, terms: SaleTerms): AllocationRange {
  const bound = boundOf(amount, terms.ratio, terms.hardCapUser);
  return {
    estimate: leastAllocation(amount, committed, terms),
    ifDoubled: leastAllocation(amount, committed.plus(committed), terms),
    most: least(bound, terms.issueAmount).times(Decimal.one, 'down', terms.tokenDigits),
  };
}

/** The cost of tokens in the quote coin, rounded up to 8 decimals. */
export function costOf(tokens: Decimal, ratio: Decimal): Decimal {
  return tokens.over(ratio, 'up', COST_PLACES);
}

function boundOf(amount: Decimal, ratio: Decimal, hardCap: Decimal): Decimal {
  return least(hardCap, amount.times(ratio, 'down'));
}

/** Release schedule of tokens: nothing before the cliff, then everything at once or linearly over time. */
export interface Vesting {
  readonly listAt: Instant;
  /** Days from the listing of the token to the cliff. */
  readonly lockDays: number;
  /** Days after the cliff over which tokens are released linearly; 0 releases all at the cliff. */
  readonly linearDays: number;
}

export function cliffOf({ listAt, lockDays }: Vesting): Instant {
  return later(listAt, lockDays * DAY_MS);
}

/** Time at which all tokens are released. */
export function releasedAt(vesting: Vesting): Instant {
  return later(cliffOf(vesting), vesting.linearDays * DAY_MS);
}

/** The released part of a token amount, whether claimed or not, rounded down to 8 decimals. */
export function releasedOf(total: Decimal, vesting: Vesting, now: Instant): Decimal {
  const since = now - cliffOf(vesting);
  if (since < 0) return Decimal.zero;
  const duration = vesting.linearDays * DAY_MS;
  if (since >= duration) return total;
  return total.times(Decimal.ofWhole(since), 'down').over(Decimal.ofWhole(duration), 'down', COST_PLACES);
}

/** Like `releasedOf`, rounded down to the token's decimals; the whole amount once all is released. */
export function releasedIn(digits: number, total: Decimal, vesting: Vesting, now: Instant): Decimal {
  const released = releasedOf(total, vesting, now);
  return released.isLess(total) ? released.times(Decimal.one, 'down', digits) : total;
}

/** State of a token sale project: before, during and after the sale, and finished. */
export type ProjectStatus = 'warming' | 'participating' | 'open' | 'closed';

/** Times that determine the state of a token sale project. */
export interface ProjectTimes extends Vesting {
  readonly startAt: Instant;
  readonly endAt: Instant;
  /** True if the token sale was refunded because it missed its soft cap, or was ended by an operator. */
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
 * Returns a refusal if a commitment to a token sale (`mine` so far) cannot be increased by the amount: the
 * sum must be within the user's limits, and the amount within the balance. Screens and server both use this
 * check.
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
 * Returns a refusal if a commitment to a token sale cannot be reduced by the amount: the rest must be zero or
 * at least the minimum.
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
