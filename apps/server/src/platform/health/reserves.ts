import type { Decimal } from '@exchange/core/decimal.ts';
import type { ComponentHealth } from './health.ts';

/** An account of the house that pays users of one coin, and what it has to pay. */
export interface Reserve {
  /** As the console's list of house accounts names it. */
  readonly account: string;
  readonly asset: string;
  readonly balance: Decimal;
  /** What it pays in a day as things stand; undefined where that is not known by the day. */
  readonly daily?: Decimal;
  /** What it has to hold: below it no more is sold. */
  readonly needed: Decimal;
}

/** From so many days on an account is funded again: twice as many as where sales stop. */
const ENOUGH_DAYS = 14;

/** How many whole days a reserve pays; undefined where nothing runs, or it is not known by the day. */
function daysOf({ balance, daily }: Reserve): number | undefined {
  if (daily === undefined || !daily.isPositive()) return undefined;
  return balance.isPositive() ? Number(balance.atoms / daily.atoms) : 0;
}

/** Not up while an account has to be funded: before sales stop, and with those that stopped named first. */
export function reservesHealth(reserves: readonly Reserve[]): ComponentHealth {
  const busy = reserves.filter((reserve) => reserve.needed.isPositive());
  const facts = leastOf(busy);
  const stopped = busy.filter(({ balance, needed }) => balance.isLess(needed));
  const low = busy.filter((reserve) => !stopped.includes(reserve) && isLow(reserve));
  if (stopped.length + low.length === 0) return { isUp: true, facts };
  const reason = [
    ...stopped.map((one) => `${nameOf(one)} ${coverOf(one)}, so no more is sold until it is funded`),
    ...low.map((one) => `${nameOf(one)} ${coverOf(one)}: fund it before sales stop`),
  ].join('; ');
  return { isUp: false, reason, facts };
}

/** The days that each account covers, by its name and coin, for the metrics. */
export function coveredDays(reserves: readonly Reserve[]): Record<string, number> {
  const known = reserves.map((reserve) => [nameOf(reserve), daysOf(reserve)] as const);
  return Object.fromEntries(known.flatMap(([name, days]) => (days === undefined ? [] : [[name, days]])));
}

/** Of each account the coin that it covers least; all of them are in the metrics and among the house's accounts. */
function leastOf(reserves: readonly Reserve[]): Record<string, string> {
  const facts: Record<string, string> = {};
  const ordered = reserves.toSorted((one, other) => (daysOf(one) ?? 0) - (daysOf(other) ?? 0));
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
