import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inForm } from '../../../tools/test-form.ts';
import { Decimal, sum } from './decimal.ts';
import { SeededGenerator } from './seeded-generator.ts';
import {
  allocate,
  cliffOf,
  allocationRange,
  costOf,
  leastAllocation,
  releasedOf,
  type SaleTerms,
} from './subscription.ts';
import { DAY_MS, instant, later } from './time.ts';

const d = (text: string): Decimal => Decimal.parse(text);

describe('the allocation', () => {
  it('SUB-1010 the range of a commitment holds what it receives, whatever others commit besides up to as much again', () => {
    const whole = (most: number) => fc.integer({ min: 1, max: most }).map((value) => Decimal.ofWhole(value));
    const sales = fc.record({
      commitments: fc.array(whole(1_000_000), { minLength: 1, maxLength: 8 }),
      issueAmount: whole(10_000_000),
      ratio: whole(500),
      hardCapUser: whole(5_000_000),
      later: fc.nat(100),
    });
    fc.assert(
      fc.property(sales, ({ commitments, later, ...sale }) => {
        const terms = { ...sale, tokenDigits: 2 };
        const committed = sum(commitments);
        const { estimate, ifDoubled, most } = allocationRange(commitments[0]!, committed, terms);
        expect(ifDoubled.isMore(estimate) || estimate.isMore(most)).toBe(false);
        const added = Decimal.parse(String(later / 100)).times(committed, 'down', 8);
        const everyone = added.isPositive() ? [...commitments, added] : commitments;
        const received = allocate(everyone, terms)[0]!;
        expect(received.isLess(ifDoubled) || received.isMore(most)).toBe(false);
        expect(added.isZero() && received.isLess(estimate)).toBe(false);
      }),
    );
  });

  it('SUB-005 of the published example is what was published', () => {
    const terms = {
      issueAmount: d('100000000'),
      ratio: d('10000'),
      hardCapUser: d('20000000'),
      tokenDigits: 0,
    };
    const commitments = ['50000', '30000', '7000', '6000', '5000', '5000', '1400', '500', '90', '10'].map(d);
    expect(allocate(commitments, terms).map(String)).toEqual([
      '20000000',
      '20000000',
      '16800000',
      '14400000',
      '12000000',
      '12000000',
      '3360000',
      '1200000',
      '216000',
      '24000',
    ]);
  });

  it('SUB-005 beside the rule round by round: the same, conserving, capped, monotone, in any order', () => {
    const random = new SeededGenerator(20_285);
    const below = (bound: number) => Math.floor(random.next() * bound);
    const differing: string[] = [];
    for (let round = 0; round < inForm(1_500, 10_000); round += 1) {
      const commitments = Array.from({ length: 1 + below(30) }, () =>
        Decimal.ofScaled(BigInt(1 + below(10 ** (1 + below(9)))), below(3)),
      );
      const terms: SaleTerms = {
        issueAmount: Decimal.ofWhole(1 + below(10 ** (1 + below(9)))),
        ratio: Decimal.ofScaled(BigInt(1 + below(5_000)), 2),
        hardCapUser: Decimal.ofWhole(1 + below(10 ** (1 + below(8)))),
        tokenDigits: below(9),
      };
      const made = allocate(commitments, terms);
      const problems = [
        made.map(String).join() === naive(commitments, terms).map(String).join() ? [] : ['differs'],
        sum(made).isMore(terms.issueAmount) ? ['more than there is'] : [],
        made.some((tokens) => tokens.isMore(terms.hardCapUser)) ? ['above the cap'] : [],
        made.some((tokens, at) => costOf(tokens, terms.ratio).isMore(commitments[at]!))
          ? ['costs too much']
          : [],
        made.some((tokens, at) => leastAllocation(commitments[at]!, sum(commitments), terms).isMore(tokens))
          ? ['less than promised']
          : [],
        made.some((tokens, at) =>
          made.some((other, of) => commitments[at]!.isLess(commitments[of]!) && other.isLess(tokens)),
        )
          ? ['not monotone']
          : [],
        allocate(commitments.toReversed(), terms).toReversed().map(String).join() === made.map(String).join()
          ? []
          : ['order matters'],
      ].flat();
      if (problems.length > 0) differing.push(`round ${round}: ${problems.join()}`);
    }
    expect(differing).toEqual([]);
  });
});

/** As the rule is told: rounds in which everybody whose share reaches the bound leaves at once. */
function naive(commitments: readonly Decimal[], terms: SaleTerms): Decimal[] {
  const scale = 10n ** 18n;
  const bounds = commitments.map(({ atoms }) => {
    const paid = (atoms * terms.ratio.atoms) / scale;
    return paid < terms.hardCapUser.atoms ? paid : terms.hardCapUser.atoms;
  });
  const given = new Map<number, bigint>();
  for (;;) {
    const rest = [...commitments.keys()].filter((at) => !given.has(at));
    const all = rest.reduce((total, at) => total + commitments[at]!.atoms, 0n);
    let left = terms.issueAmount.atoms;
    for (const tokens of given.values()) left -= tokens;
    const leaving = rest.filter((at) => left * commitments[at]!.atoms >= bounds[at]! * all);
    for (const at of leaving) given.set(at, bounds[at]!);
    if (leaving.length > 0) continue;
    for (const at of rest) given.set(at, (left * commitments[at]!.atoms) / all);
    const unit = 10n ** BigInt(18 - terms.tokenDigits);
    return commitments.map((_, at) => Decimal.ofAtoms((given.get(at)! / unit) * unit));
  }
}

describe('what is released', () => {
  const vesting = { listAt: instant(Date.UTC(2027, 0, 1)), lockDays: 30, linearDays: 100 };

  it('SUB-008 nothing before the cliff, a line after it, all at its end, and never less than before', () => {
    const at = (days: number) =>
      releasedOf(d('1000'), vesting, later(vesting.listAt, Math.floor(days * DAY_MS)));
    expect([0, 29.99, 30, 80, 130, 400].map((days) => at(days).toString())).toEqual([
      '0',
      '0',
      '0',
      '500',
      '1000',
      '1000',
    ]);
    const atOnce = { ...vesting, linearDays: 0 };
    expect(releasedOf(d('7'), atOnce, later(cliffOf(atOnce), -1)).toString()).toBe('0');
    expect(releasedOf(d('7'), atOnce, cliffOf(atOnce)).toString()).toBe('7');
    const random = new SeededGenerator(7);
    const falling: number[] = [];
    for (let round = 0; round < 2_000; round += 1) {
      const [one, more] = [random.next() * 200, random.next() * 5];
      if (at(Math.floor(one) + more).isLess(at(Math.floor(one)))) falling.push(round);
    }
    expect(falling).toEqual([]);
  });

  it('SUB-008 beside a naive reference over random locks: whole numbers, cut once', () => {
    const random = new SeededGenerator(20_291);
    const below = (bound: number) => Math.floor(random.next() * bound);
    const differing: string[] = [];
    for (let round = 0; round < inForm(2_000, 10_000); round += 1) {
      const total = BigInt(1 + below(2 ** 31)) * 10n ** BigInt(below(12));
      const listAt = instant(Date.UTC(2023, 0, 1) + below(12 * 366) * DAY_MS + below(DAY_MS));
      const [lockDays, linearDays] = [below(400), below(3) === 0 ? 0 : below(800)];
      const now = instant(listAt + below((lockDays + linearDays + 10) * DAY_MS) - below(5 * DAY_MS));
      const made = releasedOf(Decimal.ofScaled(total, 8), { listAt, lockDays, linearDays }, now);
      // Millisecond by millisecond from the cliff, never more than there is.
      const passed = BigInt(now) - BigInt(listAt) - BigInt(lockDays) * 86_400_000n;
      const line = BigInt(linearDays) * 86_400_000n;
      const known = passed < 0n ? 0n : passed >= line ? total : (total * passed) / line;
      if (!made.equals(Decimal.ofScaled(known, 8)))
        differing.push(`${total} ${lockDays} ${linearDays}: ${made}`);
    }
    expect(differing).toEqual([]);
  });
});
