import { describe, expect, it } from 'vitest';
import { Decimal } from './decimal.ts';
import type { ExitsRequest } from './order-request.ts';
import { amendedExits, sameExits } from './spot-exits.ts';

const PRICES = [undefined, Decimal.parse('48000'), Decimal.parse('52000')];
/**
 * All combinations of exit orders: none, only take-profit, only stop-loss, and both. Each stop-loss occurs with and
 * without a limit price.
 */
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

/**
 * Returns the amendment that changes the exit prices `from` into `to`. It contains only the prices that
 * differ; zero for a price that is removed.
 */
function amendmentOf(from: ExitsRequest | undefined, to: ExitsRequest | undefined): ExitsRequest {
  const priceChange = (name: keyof ExitsRequest) =>
    from?.[name] === to?.[name] ? undefined : (to?.[name] ?? Decimal.zero);
  return {
    takeProfit: priceChange('takeProfit'),
    stopLoss: priceChange('stopLoss'),
    stopLossLimit: priceChange('stopLossLimit'),
  };
}

describe('changing exits', () => {
  it('SPOT-298 an amendment of the differing fields turns any exits into any others, and zero removes an exit', () => {
    for (const from of ALL) {
      for (const to of ALL) {
        const next = amendedExits(from, amendmentOf(from, to));
        expect(sameExits(next, to), `${JSON.stringify(from)} to ${JSON.stringify(to)}`).toBe(true);
        expect(next === undefined).toBe(to === undefined);
        expect(sameExits(from, to)).toBe(from === to);
      }
    }
    expect(ALL).toHaveLength(1 + 3 * 1 + 3 * 2 * 3 - 1);
  });

  it('SPOT-298 absent fields stay unchanged, and a stop-loss is removed together with its limit', () => {
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
