import type { Decimal } from '@exchange/core/decimal.ts';
import type { ComponentHealth } from './health.ts';

/** The balance of a house account in a coin that it pays to users, and the balance that it needs. */
export interface Reserve {
  readonly account: string;
  readonly asset: string;
  readonly balance: Decimal;
  /** Amount that the account currently pays per day, in the coin; undefined if its payments are irregular. */
  readonly daily?: Decimal;
  /** The minimum balance of the account, in the coin; 0 if it needs none. Below it, the product is no longer sold. */
  readonly needed: Decimal;
}

/**
 * Number of days of payments below which an account is reported as low. The number is twice that at which the product's
 * sales stop.
 */
const ENOUGH_DAYS = 14;

/**
 * Returns the number of whole days of payments that a house account's balance covers; undefined without
 * regular payments.
 */
function daysOf({ balance, daily }: Reserve): number | undefined {
  if (daily === undefined || !daily.isPositive()) return undefined;
  return balance.isPositive() ? Number(balance.atoms / daily.atoms) : 0;
}

/**
 * Returns the health of the house accounts that pay users. It is down while an account has less than
 * `needed`, or covers fewer than `ENOUGH_DAYS` days of payments. Accounts that need no balance are ignored.
 * The reason names accounts with stopped sales first.
 */
export function reservesHealth(reserves: readonly Reserve[]): ComponentHealth {
  const busy = reserves.filter((reserve) => reserve.needed.isPositive());
  const facts = lowestCovers(busy);
  const stopped = busy.filter(({ balance, needed }) => balance.isLess(needed));
  const low = busy.filter((reserve) => !stopped.includes(reserve) && isLow(reserve));
  if (stopped.length + low.length === 0) return { isUp: true, facts };
  const reason = [
    ...stopped.map(
      (reserve) => `${nameOf(reserve)} ${coverOf(reserve)}, so no more is sold until it is funded`,
    ),
    ...low.map((reserve) => `${nameOf(reserve)} ${coverOf(reserve)}: fund it before sales stop`),
  ].join('; ');
  return { isUp: false, reason, facts };
}

/**
 * Returns the number of days of payments that the house accounts' balances cover, by account and coin, for
 * metrics and operators. Accounts without regular payments are omitted.
 */
export function coveredDays(reserves: readonly Reserve[]): Record<string, number> {
  const daysByName = reserves.map((reserve) => [nameOf(reserve), daysOf(reserve)] as const);
  return Object.fromEntries(daysByName.flatMap(([name, days]) => (days === undefined ? [] : [[name, days]])));
}

/**
 * Returns a text for each house account: the coin whose balance covers the fewest days of payments, and that
 * cover. A coin without regular payments counts as zero days. Operators see all coins in the list of house
 * accounts.
 */
function lowestCovers(reserves: readonly Reserve[]): Record<string, string> {
  const facts: Record<string, string> = {};
  const ordered = reserves.toSorted((left, right) => (daysOf(left) ?? 0) - (daysOf(right) ?? 0));
  for (const reserve of ordered) facts[reserve.account] ??= `${reserve.asset} ${coverOf(reserve)}`;
  return facts;
}

function isLow(reserve: Reserve): boolean {
  const days = daysOf(reserve);
  return days !== undefined && days < ENOUGH_DAYS;
}

function nameOf({ account, asset }: Reserve): string {
  return `${account} ${asset}`;
}

function coverOf(reserve: Reserve): string {
  const { balance, needed } = reserve;
  const days = daysOf(reserve);
  if (days !== undefined) return `covers ${days} ${days === 1 ? 'day' : 'days'}`;
  return `holds ${balance.toString()} of ${needed.toString()} needed`;
}
