import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byForm } from '../../../tools/test-form.ts';
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
  it('SUB-1010 the estimated range contains the allocation if others commit up to as much again', () => {
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

  it('SUB-005 of the published example equals the published result', () => {
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

  it('SUB-005 equals the rule applied round by round; it is conserving, capped, monotone and independent of order', () => {
    const random = new SeededGenerator(20_285);
    const below = (bound: number) => Math.floor(random.next() * bound);
    const differing: string[] = [];
    for (let round = 0; round < byForm(1_500, 10_000); round += 1) {
      const commitments = Array.from({ length: 1 + below(30) }, () =>
        Decimal.ofScaled(BigInt(1 + below(10 ** (1 + below(9)))), below(3)),
      );
      const terms: SaleTerms = {
        issueAmount: Decimal.ofWhole(1 + below(10 ** (1 + below(9)))),
        ratio: Decimal.ofScaled(BigInt(1 + below(5_000)), 2),
        hardCapUser: Decimal.ofWhole(1 + below(10 ** (1 + below(8)))),
        tokenDigits: below(9),
      };
      const allocated = allocate(commitments, terms);
      const problems = [
        allocated.map(String).join() === naiveAllocation(commitments, terms).map(String).join()
          ? []
          : ['differs'],
        sum(allocated).isMore(terms.issueAmount) ? ['more than there is'] : [],
        allocated.some((tokens) => tokens.isMore(terms.hardCapUser)) ? ['above the cap'] : [],
        allocated.some((tokens, index) => costOf(tokens, terms.ratio).isMore(commitments[index]!))
          ? ['costs too much']
          : [],
        allocated.some((tokens, index) =>
          leastAllocation(commitments[index]!, sum(commitments), terms).isMore(tokens),
        )
          ? ['less than promised']
          : [],
        allocated.some((tokens, index) =>
          allocated.some(
            (otherTokens, otherIndex) =>
              commitments[index]!.isLess(commitments[otherIndex]!) && otherTokens.isLess(tokens),
          ),
        )
          ? ['not monotone']
          : [],
        allocate(commitments.toReversed(), terms).toReversed().map(String).join() ===
        allocated.map(String).join()
          ? []
          : ['order matters'],
      ].flat();
      if (problems.length > 0) differing.push(`round ${round}: ${problems.join()}`);
    }
    expect(differing).toEqual([]);
  });
});

/**
 * Reference implementation of the allocation in rounds. In each round, all participants whose share reaches their
 * maximum receive the maximum and leave the allocation.
 */
function naiveAllocation(commitments: readonly Decimal[], terms: SaleTerms): Decimal[] {
  const scale = 10n ** 18n;
  const bounds = commitments.map(({ atoms }) => {
    const paid = (atoms * terms.ratio.atoms) / scale;
    return paid < terms.hardCapUser.atoms ? paid : terms.hardCapUser.atoms;
  });
  const allocated = new Map<number, bigint>();
  for (;;) {
    const rest = [...commitments.keys()].filter((index) => !allocated.has(index));
    const committed = rest.reduce((total, index) => total + commitments[index]!.atoms, 0n);
    let remaining = terms.issueAmount.atoms;
    for (const tokens of allocated.values()) remaining -= tokens;
    const leaving = rest.filter(
      (index) => remaining * commitments[index]!.atoms >= bounds[index]! * committed,
    );
    for (const index of leaving) allocated.set(index, bounds[index]!);
    if (leaving.length > 0) continue;
    for (const index of rest) allocated.set(index, (remaining * commitments[index]!.atoms) / committed);
    const unit = 10n ** BigInt(18 - terms.tokenDigits);
    return commitments.map((_, index) => Decimal.ofAtoms((allocated.get(index)! / unit) * unit));
  }
}

describe('vesting', () => {
  const vesting = { listAt: instant(Date.UTC(2027, 0, 1)), lockDays: 30, linearDays: 100 };

  it('SUB-008 nothing is released before the cliff, then linearly until everything is released, and never decreasing', () => {
    const releasedAfter = (days: number) =>
      releasedOf(d('1000'), vesting, later(vesting.listAt, Math.floor(days * DAY_MS)));
    expect([0, 29.99, 30, 80, 130, 400].map((days) => releasedAfter(days).toString())).toEqual([
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
      const [days, more] = [random.next() * 200, random.next() * 5];
      if (releasedAfter(Math.floor(days) + more).isLess(releasedAfter(Math.floor(days)))) falling.push(round);
    }
    expect(falling).toEqual([]);
  });

  it('SUB-008 equals a naive integer reference for random schedules', () => {
    const random = new SeededGenerator(20_291);
    const below = (bound: number) => Math.floor(random.next() * bound);
    const differing: string[] = [];
    for (let round = 0; round < byForm(2_000, 10_000); round += 1) {
      const total = BigInt(1 + below(2 ** 31)) * 10n ** BigInt(below(12));
      const listAt = instant(Date.UTC(2023, 0, 1) + below(12 * 366) * DAY_MS + below(DAY_MS));
      const [lockDays, linearDays] = [below(400), below(3) === 0 ? 0 : below(800)];
      const now = instant(listAt + below((lockDays + linearDays + 10) * DAY_MS) - below(5 * DAY_MS));
      const released = releasedOf(Decimal.ofScaled(total, 8), { listAt, lockDays, linearDays }, now);
      // Reference implementation of the released tokens: in proportion to the milliseconds since the cliff.
      const passed = BigInt(now) - BigInt(listAt) - BigInt(lockDays) * 86_400_000n;
      const duration = BigInt(linearDays) * 86_400_000n;
      const expected = passed < 0n ? 0n : passed >= duration ? total : (total * passed) / duration;
      if (!released.equals(Decimal.ofScaled(expected, 8)))
        differing.push(`${total} ${lockDays} ${linearDays}: ${released}`);
    }
    expect(differing).toEqual([]);
  });
});
