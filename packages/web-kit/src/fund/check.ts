import { canonicalText } from '@exchange/core/canonical.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { thresholdOf, unitValue } from '@exchange/core/fund.ts';
import { sha256 } from '../sha256.ts';
import { proofOf } from './queries.ts';

/** Result of verifying the price at which a fund position ended, which this device recomputes from public data. */
export interface EndCheckResult {
  /**
   * `right`: every check passed; `wrong`: at least one failed. `noTape`: nothing could be checked, because the server
   * has no recorded index prices for that time, for example for generated demo history.
   */
  readonly outcome: 'right' | 'wrong' | 'noTape';
  readonly value?: string;
  readonly threshold?: string | undefined;
}

interface Line {
  readonly symbol: string;
  readonly index: string | null;
  readonly hash: string;
}

/**
 * Recomputes the fund's unit value and the liquidation threshold for the end of a position from the recorded index
 * prices. The outcome is `right` if the hashes of these prices are correct, the recomputed value equals the closing
 * price and, for a liquidated position, the value is below the threshold.
 */
export async function checkEnd(id: string): Promise<EndCheckResult> {
  const { proof, lines: lineTexts } = await proofOf(id);
  if (lineTexts.length === 0) return { outcome: 'noTape' };
  const lines = lineTexts.map((text) => JSON.parse(text) as Line);
  const hashes = await Promise.all(lines.map(({ hash: _, ...content }) => sha256(canonicalText(content))));
  const areWhole = lines.every(({ hash }, at) => hash === hashes[at]);
  const basket = {
    constituents: proof.constituents.map(({ symbol, weight }) => ({ symbol, weight: Decimal.parse(weight) })),
    divisor: Decimal.parse(proof.divisor),
  };
  const { value } = unitValue(basket, (symbol) => {
    const index = lines.find((line) => line.symbol === symbol)?.index;
    return index === undefined
      ? undefined
      : { price: index === null ? null : Decimal.parse(index), isDegraded: false };
  });
  if (value === null) return { outcome: 'wrong' };
  const holding = {
    quantity: Decimal.parse(proof.quantity),
    buyPrice: Decimal.parse(proof.buyPrice),
    margin: Decimal.parse(proof.margin),
    costs: Decimal.parse(proof.costs),
    leverage: proof.leverage,
  };
  const threshold = thresholdOf(holding, Decimal.parse(proof.mmr));
  const isSame = value.toString() === proof.closePrice;
  const isDue = proof.status !== 3 || (threshold !== undefined && value.isLess(threshold));
  return {
    outcome: areWhole && isSame && isDue ? 'right' : 'wrong',
    value: value.toString(),
    threshold: threshold?.rounded(8, 'up').toString(),
  };
}
