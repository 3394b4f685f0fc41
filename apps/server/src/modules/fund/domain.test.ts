import { Decimal } from '@exchange/core/decimal.ts';
import { WARNING_REARM_MARGIN } from '@exchange/core/fund.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { instant } from '@exchange/core/time.ts';
import { describe, expect, it } from 'vitest';
import { verdictFor, warnedAfterMargin, type Position } from './domain.ts';

const d = (text: string): Decimal => Decimal.parse(text);

/**
 * Position of 3 units bought at 100 with a margin of 100. Its margin ratio (equity as a multiple of the
 * maintenance margin) is 1.96 at a unit value of 68, 1.38 at 67.6 and 1.09 at 67.4.
 */
const position: Position = {
  id: 'p',
  owner: 'o' as UserId,
  fund: 'f',
  fundVersion: 1,
  asset: 'USDT',
  leverage: 3,
  step: d('0.001'),
  manageRate: d('0'),
  financeRate: d('0'),
  mmr: d('0.01'),
  liqFee: d('0'),
  notional: d('300'),
  quantity: d('3'),
  buyPrice: d('100'),
  margin: d('100'),
  costs: d('0'),
  warned: 0,
  status: 'holding',
  acceptedAt: instant(0),
  openedAt: instant(1_000),
  closedAt: undefined,
  endedAt: undefined,
  costAt: instant(2_000),
  salePrice: undefined,
  sellType: undefined,
  payout: undefined,
  fee: undefined,
  shortfall: undefined,
  parent: undefined,
  origin: undefined,
};

describe('positions of a fund', () => {
  it('FUND-008 a warning is given again only after margin has lifted the ratio clearly above it', () => {
    const warnedAfter = (warned: number, amount: string, value: string) =>
      warnedAfterMargin(
        { ...position, warned, margin: position.margin.plus(d(amount)) },
        d(value),
        WARNING_REARM_MARGIN,
      );
    // The added margin raises the margin ratio from 1.38, first by almost nothing, then to 1.43, to just below 1.6, and
    // to exactly 1.6.
    expect([warnedAfter(1, '0.00000001', '67.6'), warnedAfter(1, '0.1', '67.6')]).toEqual([1, 1]);
    expect([warnedAfter(1, '0.4447', '67.6'), warnedAfter(1, '0.4448', '67.6')]).toEqual([1, 0]);
    // The warning at a margin ratio of 1.2 may be sent again from 1.3 on, the warning at 1.5 from 1.6 on.
    expect([
      warnedAfter(2, '0.4', '67.4'),
      warnedAfter(2, '0.5', '67.4'),
      warnedAfter(2, '2', '67.4'),
    ]).toEqual([2, 1, 0]);
    // If no warning was sent before margin was added, none counts as sent afterwards, although the margin ratio is
    // already below that of a warning.
    expect(warnedAfter(0, '0.00000001', '67.6')).toBe(0);
    expect(warnedAfterMargin({ ...position, warned: 2 }, undefined, WARNING_REARM_MARGIN)).toBe(2);
    // Older journal steps have no `clearance`; after margin was added in such a step, no warning counts as sent.
    expect(warnedAfterMargin({ ...position, warned: 2 }, d('67.4'), undefined)).toBe(0);
    const unwarned = { ...position, warned: warnedAfter(1, '0.00000001', '67.6') };
    const at = { t: instant(9_000), value: d('67.6') };
    expect(verdictFor(unwarned, [], at, false)).toEqual({ kind: 'none' });
    expect(verdictFor({ ...unwarned, warned: 0 }, [], at, false)).toEqual({ kind: 'warn', warned: 1 });
  });
});
