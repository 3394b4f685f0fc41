import { Decimal, least } from './decimal.ts';
import { shortOf } from './funds.ts';
import { refusal, type Refusal } from './refusal.ts';
import { finished, mapped, sorted, type Slices } from './slices.ts';
import { DAY_MS, later, type Instant } from './time.ts';

/** Which rule an allocation follows; stands in its result file. */
export const ALLOCATION_VERSION = 'wf-1';
const COST_PLACES = 8;

/** What a sale divides by; tokens and quote amounts. */
export interface SaleTerms {
  /** Tokens offered. */
  readonly issueAmount: Decimal;
  /** Tokens per 1 quote unit. */
  readonly ratio: Decimal;
  /** Tokens that one participant receives at most. */
  readonly hardCapUser: Decimal;
  /** Digits of token amounts. */
  readonly tokenDigits: number;
}

/**
 * Divides the tokens by water-filling: everybody's bound is the hard cap or what their commitment pays for; what is left
 * is shared in proportion to commitments, whoever reaches the bound gets it and leaves, until nobody does. Cut to the
 * token's digits; what cutting leaves stays unsold. The order of commitments does not matter; none may be zero.
 *
 * The share per commitment never falls while people leave, so those who leave are the first ones when sorted by bound
 * per commitment: one pass, n log n.
 */
export function allocate(commitments: readonly Decimal[], terms: SaleTerms): Decimal[] {
  return finished(allocation(commitments, terms));
}

/** The same in slices, for whoever has other things to do meanwhile. */
export function* allocation(commitments: readonly Decimal[], terms: SaleTerms): Slices<Decimal[]> {
  const { issueAmount, ratio, hardCapUser, tokenDigits } = terms;
  const bounds = yield* mapped(commitments, (amount) => boundOf(amount, ratio, hardCapUser));
  // The bound per commitment falls as the commitment grows.
  const order = yield* sorted([...commitments.keys()], (one, other) =>
    commitments[other]!.compare(commitments[one]!),
  );
  let left = issueAmount.atoms;
  let committed = 0n;
  yield* mapped(commitments, ({ atoms }) => (committed += atoms));
  let isShared = false;
  const parts = yield* mapped(order, (at) => {
    const [amount, bound] = [commitments[at]!.atoms, bounds[at]!.atoms];
    isShared ||= left * amount < bound * committed;
    if (isShared) return Decimal.ofAtoms((left * amount) / committed);
    left -= bound;
    committed -= amount;
    return bounds[at]!;
  });
  const given: Decimal[] = Array.from({ length: commitments.length }, () => Decimal.zero);
  yield* mapped(order, (at, nth) => {
    given[at] = parts[nth]!.times(Decimal.one, 'down', tokenDigits);
  });
  return given;
}

/** What a commitment receives at least if it is the one of all: its part of the tokens, within its bound. */
export function leastAllocation(amount: Decimal, committed: Decimal, terms: SaleTerms): Decimal {
  if (!amount.isPositive()) return Decimal.zero;
  const share = Decimal.ofAtoms((terms.issueAmount.atoms * amount.atoms) / committed.atoms);
  const bound = boundOf(amount, terms.ratio, terms.hardCapUser);
  return least(bound, share).times(Decimal.one, 'down', terms.tokenDigits);
}

/** What a commitment receives, as far as that can be said before a sale ends; tokens. */
export interface AllocationRange {
  /** By proportion at the present commitments: what capped participants leave may add to it. */
  readonly estimate: Decimal;
  /** If all commitments together become twice as much and this one stays as it is. */
  readonly ifDoubled: Decimal;
  /** Whatever others do: its own worth in tokens, the cap of one participant, and all that is offered. */
  readonly most: Decimal;
}

/** What a commitment among others receives before its sale has ended. `committed` is the sum of all, this one included. */
export function allocationRange(amount: Decimal, committed: Decimal, terms: SaleTerms): AllocationRange {
  const bound = boundOf(amount, terms.ratio, terms.hardCapUser);
  return {
    estimate: leastAllocation(amount, committed, terms),
    ifDoubled: leastAllocation(amount, committed.plus(committed), terms),
    most: least(bound, terms.issueAmount).times(Decimal.one, 'down', terms.tokenDigits),
  };
}

/** What tokens cost in the quote coin: up to 8 decimals. */
export function costOf(tokens: Decimal, ratio: Decimal): Decimal {
  return tokens.over(ratio, 'up', COST_PLACES);
}

function boundOf(amount: Decimal, ratio: Decimal, hardCap: Decimal): Decimal {
  return least(hardCap, amount.times(ratio, 'down'));
}

/** How tokens are released: nothing before the cliff, then all at once or day by day in a line. */
export interface Vesting {
  readonly listAt: Instant;
  /** Days from listing until anything is released. */
  readonly lockDays: number;
  /** Days after the cliff over which tokens are released evenly; 0: all at the cliff. */
  readonly linearDays: number;
}

export function cliffOf({ listAt, lockDays }: Vesting): Instant {
  return later(listAt, lockDays * DAY_MS);
}

/** When the last of the tokens is released. */
export function releasedAt(vesting: Vesting): Instant {
  return later(cliffOf(vesting), vesting.linearDays * DAY_MS);
}

/** What of an amount has been released by now, claimed or not; cut to 8 decimals. */
export function releasedOf(total: Decimal, vesting: Vesting, now: Instant): Decimal {
  const since = now - cliffOf(vesting);
  if (since < 0) return Decimal.zero;
  const duration = vesting.linearDays * DAY_MS;
  if (since >= duration) return total;
  return total.times(Decimal.ofWhole(since), 'down').over(Decimal.ofWhole(duration), 'down', COST_PLACES);
}

/** The same, cut down to the digits of the token; all of it once everything is released. */
export function releasedIn(digits: number, total: Decimal, vesting: Vesting, now: Instant): Decimal {
  const released = releasedOf(total, vesting, now);
  return released.isLess(total) ? released.times(Decimal.one, 'down', digits) : total;
}

/** How far a project is: before the sale, in it, after it, over. */
export type ProjectStatus = 'warming' | 'participating' | 'open' | 'closed';

/** A project as far as its states go. */
export interface ProjectTimes extends Vesting {
  readonly startAt: Instant;
  readonly endAt: Instant;
  /** Refunded in full because its soft cap was missed, or ended by the operator. */
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

/** Why a commitment cannot be raised by an amount, or undefined. Screens and the server ask the same. */
export function commitProblem(
  { quote, quoteDigits, minAmount, maxAmount }: CommitmentLimits,
  amount: Decimal,
  { mine, available }: { readonly mine: Decimal; readonly available: Decimal },
): Refusal | undefined {
  const about = { field: 'amount', value: amount.toString(), unit: quote };
  if (!amount.isPositive()) return refusal('invalidField', 'l.field_positive', about);
  if (!amount.fits(quoteDigits))
    return refusal('invalidField', 'l.amount_decimals', { ...about, limit: String(quoteDigits) });
  const fewest = minAmount.minus(mine);
  if (amount.isLess(fewest))
    return refusal('belowMinimum', 'l.amount_min', { ...about, limit: fewest.toString() });
  const most = maxAmount.minus(mine);
  if (amount.isMore(most))
    return refusal('aboveMaximum', 'l.subscribe_user_max', { ...about, limit: most.toString() });
  return shortOf({ needed: amount, available, asset: quote, field: 'amount' });
}

/** Why a commitment cannot be lowered by an amount, or undefined: what stays is nothing, or at least the minimum. */
export function reduceProblem(
  { quote, minAmount, quoteDigits }: CommitmentLimits,
  amount: Decimal,
  mine: Decimal,
): Refusal | undefined {
  const about = { field: 'amount', value: amount.toString(), unit: quote };
  if (!amount.isPositive()) return refusal('invalidField', 'l.field_positive', about);
  if (!amount.fits(quoteDigits))
    return refusal('invalidField', 'l.amount_decimals', { ...about, limit: String(quoteDigits) });
  if (amount.isMore(mine))
    return refusal('aboveMaximum', 'l.amount_max', { ...about, limit: mine.toString() });
  const stays = mine.minus(amount);
  return stays.isZero() || !stays.isLess(minAmount)
    ? undefined
    : refusal('aboveMaximum', 'l.subscribe_keeps_min', { ...about, limit: minAmount.toString() });
}
