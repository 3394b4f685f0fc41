import { Decimal } from '@exchange/core/decimal.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import type { Sums } from '@exchange/core/proofs.ts';

/**
 * The amount of a coin that, according to the ledger, the exchange holds on a network. `backing` is the kind of channel
 * by which the amount can be verified: not at all for `manual` and `none`; for `demo` the ledger's amount itself counts
 * as held.
 */
export interface OutsideBalance {
  readonly asset: AssetCode;
  readonly network: string;
  readonly amount: Decimal;
  readonly backing: 'demo' | 'evm' | 'utxo' | 'xrp' | 'tron' | 'manual' | 'none';
}

/**
 * Liabilities to users (`owed`) and the exchange's own funds (`own`), by coin, and the amounts that the
 * exchange holds according to the ledger, by coin and network (`outside`).
 */
export interface CoverageInput {
  readonly owed: Sums;
  readonly own: Sums;
  readonly outside: readonly OutsideBalance[];
  /**
   * Balances of the exchange's wallets on blockchains, plus withdrawals that have left them but that the
   * ledger still owes, by coin.
   */
  readonly wallets: Sums;
  /** Networks whose wallets cannot be compared now, each with the reason. */
  readonly behind: ReadonlyMap<string, string>;
}

/**
 * Liabilities and assets of the exchange in a coin. `held` is undefined if the holdings cannot be
 * verified.
 */
export interface CoinCoverage {
  readonly asset: AssetCode;
  readonly owed: Decimal;
  readonly own: Decimal;
  readonly held: Decimal | undefined;
  /** Why the exchange's holdings of the coin cannot be verified, as text for operators; empty if they are verified. */
  readonly unknown: string;
}

/**
 * For each coin that is owed to users, owned by the exchange, or held by its wallets: liabilities and holdings, in
 * alphabetical order. A coin has no `held` amount if the holdings on any network on which the ledger has an amount of
 * it cannot be verified.
 */
export function coversOf({ owed, own, outside, wallets, behind }: CoverageInput): CoinCoverage[] {
  const coins = new Set([...owed.keys(), ...own.keys(), ...wallets.keys()]);
  return [...coins].toSorted().map((asset) => {
    const places = outside.filter((place) => place.asset === asset && !place.amount.isZero());
    const reasons = places.flatMap((place) => whyUnknown(place, behind));
    const unknown = [...new Set(reasons)].join('; ');
    const demoBalance = places
      .filter(({ backing }) => backing === 'demo')
      .reduce((sum, { amount }) => sum.plus(amount), Decimal.zero);
    return {
      asset,
      owed: owed.get(asset) ?? Decimal.zero,
      own: own.get(asset) ?? Decimal.zero,
      unknown,
      held: unknown === '' ? demoBalance.plus(wallets.get(asset) ?? Decimal.zero) : undefined,
    };
  });
}

function whyUnknown({ network, backing }: OutsideBalance, behind: CoverageInput['behind']): string[] {
  const reason = behind.get(network);
  if (reason !== undefined) return [reason];
  if (backing === 'manual') return [`${network} is reviewed by operators`];
  return backing === 'none' ? [`no chain is attached for ${network}`] : [];
}

const HUNDRED = Decimal.ofWhole(100);

/**
 * Coverage of the exchange's liabilities in percent with two decimals, rounded down; undefined if
 * the holdings are unknown or nothing is owed.
 */
export function coveragePercent({ owed, held }: CoinCoverage): Decimal | undefined {
  return held === undefined || !owed.isPositive()
    ? undefined
    : held.times(HUNDRED, 'down').over(owed, 'down', 2);
}

export function isShort({ owed, held }: CoinCoverage): boolean {
  return held?.isLess(owed) ?? false;
}
