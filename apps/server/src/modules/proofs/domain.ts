import { Decimal } from '@exchange/core/decimal.ts';
import { sumOf, type Sums } from '@exchange/core/proofs.ts';
import { DAY_MS, type Instant } from '@exchange/core/time.ts';

/**
 * Number of liability snapshots whose leaves (users' balances) stay stored; published data is
 * stored forever.
 */
export const KEPT_SNAPSHOTS = 30;

/** Label of the exchange's own trading accounts, which belong to system users. */
export const TRADING = 'trading';

/** The signed content of a liability snapshot. */
export interface SignedContent {
  readonly day: string;
  readonly time: Instant;
  /** Sequence number of the last ledger entry that the liability snapshot includes. */
  readonly entry: number;
  readonly leaves: number;
  readonly root: string;
  readonly totals: readonly CoinTotal[];
}

export interface CoinTotal {
  readonly currency: string;
  readonly owed: string;
  readonly house: readonly { readonly account: string; readonly amount: string }[];
}

export interface Snapshot extends SignedContent {
  readonly receipt: { readonly key: string; readonly signature: string };
}

/** Ledger totals at the time of a liability snapshot, computed independently of its leaves. */
export interface Books {
  readonly time: Instant;
  readonly entry: number;
  /** Total balances by coin of all accounts with an owner: those of users and of system users. */
  readonly owned: Sums;
  /** Total balances of the exchange's system users, by coin. */
  readonly trading: Sums;
  readonly houseAccounts: readonly {
    readonly account: string;
    readonly asset: string;
    readonly amount: Decimal;
  }[];
  /**
   * Sum per coin over the accounts of users, those of the exchange, and those that stand for the world
   * outside the ledger; must be zero.
   */
  readonly rest: Sums;
  readonly houseTotal: Sums;
}

/** The number of the UTC day of an instant, counted from 1970-01-01 as day 0. */
export function dayOf(at: Instant): number {
  return Math.floor(at / DAY_MS);
}

/** The published form of a day number (days since 1970-01-01), e.g. `2026-11-24`. */
export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Parses a day such as `2026-11-24` to its day number; undefined if the text has another form or is no valid date. */
export function dayOfText(text: string): number | undefined {
  const at = Date.parse(`${text}T00:00:00.000Z`);
  return Number.isNaN(at) || dayText(at / DAY_MS) !== text ? undefined : at / DAY_MS;
}

/**
 * All differences between a liability snapshot's leaves and the ledger. A snapshot is published only
 * without differences.
 */
export function differences(counted: Sums, root: Sums, books: Books): readonly string[] {
  const house = sumOf(...books.houseAccounts.map(({ asset, amount }) => new Map([[asset, amount]])));
  return [
    ...compareSums('the leaves and what the house trades with', sumOf(counted, books.trading), books.owned),
    ...compareSums('the root', root, counted),
    ...compareSums('the accounts of the house', house, books.houseTotal),
    ...compareSums('users, house and outside', books.rest, new Map()),
  ];
}

function compareSums(label: string, actual: Sums, expected: Sums): string[] {
  return [...new Set([...actual.keys(), ...expected.keys()])].toSorted().flatMap((coin) => {
    const [actualAmount, expectedAmount] = [
      actual.get(coin) ?? Decimal.zero,
      expected.get(coin) ?? Decimal.zero,
    ];
    return actualAmount.equals(expectedAmount)
      ? []
      : [`${label}: ${actualAmount} ${coin}, not ${expectedAmount}`];
  });
}

/**
 * For each coin in alphabetical order, the liabilities to users and the non-zero balances of the exchange's own
 * accounts.
 */
export function coinTotalsOf(owed: Sums, { trading, houseAccounts }: Books): CoinTotal[] {
  const house = [
    ...houseAccounts,
    ...[...trading].map(([asset, amount]) => ({ account: TRADING, asset, amount })),
  ].filter(({ amount }) => !amount.isZero());
  const coins = new Set([...owed.keys(), ...house.map(({ asset }) => asset)]);
  return [...coins].toSorted().map((currency) => ({
    currency,
    owed: (owed.get(currency) ?? Decimal.zero).toString(),
    house: house
      .filter(({ asset }) => asset === currency)
      .map(({ account, amount }) => ({ account, amount: amount.toString() })),
  }));
}
