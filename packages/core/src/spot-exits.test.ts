import { describe, expect, it } from 'vitest';
import { Decimal } from './decimal.ts';
import type { ExitsRequest } from './order-request.ts';
import { amendedExits, sameExits } from './spot-exits.ts';

const PRICES = [undefined, Decimal.parse('48000'), Decimal.parse('52000')];
/** Every way of having exits: none, one, both, the stop-loss with its limit or without. */
const ALL: readonly (ExitsRequest | undefined)[] = [
  undefined,
  ...PRICES.flatMap((takeProfit) =>
    PRICES.flatMap((stopLoss) =>
      (stopLoss === undefined ? [undefined] : PRICES).map((stopLossLimit) => ({
        takeProfit,
        stopLoss,
        stopLossLimit,
      })),
    ),
  ).filter(({ takeProfit, stopLoss }) => takeProfit !== undefined || stopLoss !== undefined),
];

/** What has to be asked for to come from one to the other: only what differs. */
function wishOf(from: ExitsRequest | undefined, to: ExitsRequest | undefined): ExitsRequest {
  const wish = (name: keyof ExitsRequest) =>
    from?.[name] === to?.[name] ? undefined : (to?.[name] ?? Decimal.zero);
  return {
    takeProfit: wish('takeProfit'),
    stopLoss: wish('stopLoss'),
    stopLossLimit: wish('stopLossLimit'),
  };
}

describe('changing exits', () => {
  it('SPOT-298 comes from any exits to any others by what differs, where zero takes away', () => {
    for (const from of ALL) {
      for (const to of ALL) {
        const next = amendedExits(from, wishOf(from, to));
        expect(sameExits(next, to), `${JSON.stringify(from)} to ${JSON.stringify(to)}`).toBe(true);
        expect(next === undefined).toBe(to === undefined);
        expect(sameExits(from, to)).toBe(from === to);
      }
    }
    expect(ALL).toHaveLength(1 + 3 * 1 + 3 * 2 * 3 - 1);
  });

  it('SPOT-298 leaves what is left out, and the limit goes with its stop-loss', () => {
    const [lower, upper] = [PRICES[1]!, PRICES[2]!];
    const all = { takeProfit: upper, stopLoss: lower, stopLossLimit: lower };
    expect(amendedExits(all, undefined)).toBe(all);
    expect(amendedExits(all, { stopLoss: Decimal.zero })).toEqual({
      takeProfit: upper,
      stopLoss: undefined,
      stopLossLimit: undefined,
    });
    expect(amendedExits(all, { stopLoss: upper })).toEqual({ ...all, stopLoss: upper });
  });
});
