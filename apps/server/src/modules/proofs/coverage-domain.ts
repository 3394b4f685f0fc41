import { Decimal } from '@exchange/core/decimal.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import type { Sums } from '@exchange/core/proofs.ts';

/** What lies outside under a network's name, as the ledger says, and what could be asked about it. */
export interface Outside {
  readonly asset: AssetCode;
  readonly network: string;
  readonly amount: Decimal;
  readonly seenBy: 'demo' | 'evm' | 'manual' | 'none';
}

/** What users are owed, what the house says is its own, and where the coins are. */
export interface Standing {
  readonly owed: Sums;
  readonly own: Sums;
  readonly outside: readonly Outside[];
  /** What wallets on chains have, by coin. */
  readonly wallets: Sums;
}

/** A coin's liabilities beside what the house holds; `held` is undefined where nothing tells how much that is. */
export interface Cover {
  readonly asset: AssetCode;
  readonly owed: Decimal;
  readonly own: Decimal;
  readonly held: Decimal | undefined;
  /** Why it is not known. */
  readonly unknown: string;
}

/** Every coin that is owed or held, in alphabetical order. */
export function coversOf({ owed, own, outside, wallets }: Standing): Cover[] {
  const coins = new Set([...owed.keys(), ...own.keys(), ...wallets.keys()]);
  return [...coins].toSorted().map((asset) => {
    const places = outside.filter((place) => place.asset === asset && !place.amount.isZero());
    const unknown = [...new Set(places.flatMap(whyUnknown))].join('; ');
    const pretended = places
      .filter(({ seenBy }) => seenBy === 'demo')
      .reduce((sum, { amount }) => sum.plus(amount), Decimal.zero);
    return {
      asset,
      owed: owed.get(asset) ?? Decimal.zero,
      own: own.get(asset) ?? Decimal.zero,
      unknown,
      held: unknown === '' ? pretended.plus(wallets.get(asset) ?? Decimal.zero) : undefined,
    };
  });
}

function whyUnknown({ network, seenBy }: Outside): string[] {
  if (seenBy === 'manual') return [`${network} is looked at by people`];
  return seenBy === 'none' ? [`no chain is attached for ${network}`] : [];
}

const HUNDRED = Decimal.ofWhole(100);

/** How much of what is owed is there, in percent with two digits, never rounded up; undefined where that says nothing. */
export function coveragePercent({ owed, held }: Cover): Decimal | undefined {
  return held === undefined || !owed.isPositive()
    ? undefined
    : held.times(HUNDRED, 'down').over(owed, 'down', 2);
}

export function isShort({ owed, held }: Cover): boolean {
  return held?.isLess(owed) ?? false;
}
