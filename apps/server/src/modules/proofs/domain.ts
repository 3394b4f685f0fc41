import { Decimal } from '@exchange/core/decimal.ts';
import { sumOf, type Sums } from '@exchange/core/proofs.ts';
import { DAY_MS, type Instant } from '@exchange/core/time.ts';

/** Leaves of so many snapshots are kept; what was published of each is kept for ever. */
export const KEPT_SNAPSHOTS = 30;

/** What the house trades with itself; its accounts are those of users who can never sign in. */
export const TRADING = 'trading';

/** What is signed of a snapshot. */
export interface Said {
  readonly day: string;
  readonly time: Instant;
  /** The last entry of the ledger that is in it. */
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

export interface Snapshot extends Said {
  readonly receipt: { readonly key: string; readonly signature: string };
}

/** What the ledger says at the moment of a snapshot, added up apart from the leaves. */
export interface Books {
  readonly time: Instant;
  readonly entry: number;
  /** Of all accounts with an owner. */
  readonly owned: Sums;
  /** Of the house's own users. */
  readonly trading: Sums;
  readonly houseAccounts: readonly {
    readonly account: string;
    readonly asset: string;
    readonly amount: Decimal;
  }[];
  /** Per coin, users, house and outside together; each has to be zero. */
  readonly rest: Sums;
  readonly houseTotal: Sums;
}

/** The day of UTC, counted from 1970-01-01. */
export function dayOf(at: Instant): number {
  return Math.floor(at / DAY_MS);
}

/** A day as it is published, e.g. `2026-11-24`. */
export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** The day of a text; undefined where no calendar has it. */
export function dayOfText(text: string): number | undefined {
  const at = Date.parse(`${text}T00:00:00.000Z`);
  return Number.isNaN(at) || dayText(at / DAY_MS) !== text ? undefined : at / DAY_MS;
}

/** Everything by which the leaves and the ledger differ; nothing is published unless this is empty. */
export function differences(counted: Sums, root: Sums, books: Books): readonly string[] {
  const house = sumOf(...books.houseAccounts.map(({ asset, amount }) => new Map([[asset, amount]])));
  return [
    ...compared('the leaves and what the house trades with', sumOf(counted, books.trading), books.owned),
    ...compared('the root', root, counted),
    ...compared('the accounts of the house', house, books.houseTotal),
    ...compared('users, house and outside', books.rest, new Map()),
  ];
}

function compared(what: string, found: Sums, expected: Sums): string[] {
  return [...new Set([...found.keys(), ...expected.keys()])].toSorted().flatMap((coin) => {
    const [one, other] = [found.get(coin) ?? Decimal.zero, expected.get(coin) ?? Decimal.zero];
    return one.equals(other) ? [] : [`${what}: ${one} ${coin}, not ${other}`];
  });
}

/** Per coin what users are owed and what each account of the house has. */
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
