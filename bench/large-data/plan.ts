/**
 * The exchange that `bench/large-data.ts` creates: users, orders, times and prices. All values are derived from the
 * number of users and the time. Two runs with the same scale therefore write the same rows except for times and for the
 * ids and hashes that contain times.
 */
import { createHash } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '@exchange/core/time.ts';

/**
 * Number of users at scale 1. A typical user has five ledger accounts, places about ten orders and takes part in about
 * twenty trades.
 */
const USERS_AT_FULL_SCALE = 1_000_000;
const USERS_LEAST = 60;
const ORDERS_PER_USER = 10;
const ACCOUNTS_PER_USER = 5;

export const SYMBOL = 'btcusdt';
/** Number of decimals of amounts, which are integers in units of 1e-8 of a coin. */
export const UNIT_DIGITS = 8;
const UNITS = 100_000_000n;
/** Character code of the digit 0. */
const ZERO = 48;
/** Amount of every trade in units of 1e-8 BTC: 0.001 BTC. */
export const TRADE_AMOUNT = 100_000n;
/** Fee rate of trades: 0.1 % of the received amount. */
export const FEE_RATE = '0.001';
const FEE_DIVISOR = 1_000n;
/**
 * Number of successive user orders for which the market maker keeps its price. During this time it places at
 * most one order per side.
 */
export const ORDERS_PER_QUOTE = 100;
/**
 * Number of orders of which one belongs to the same user, so that lists of a user with a very long history
 * are measured too.
 */
const BUSIEST_EVERY = 20;
const CANCELLED_EVERY = 10;
const OPEN_SHARE = 100;

const HISTORY_MS = 365 * DAY_MS;
const JOINING_MS = 30 * DAY_MS;
/** Age of the newest order in milliseconds. It is so high that no order lies in the future of the measured server. */
const QUIET_MS = HOUR_MS;

export type Side = 'buy' | 'sell';
export type Outcome = 'filled' | 'cancelled' | 'open';

/** A planned order of a user in the benchmark's history. */
export interface PlannedOrder {
  readonly number: number;
  readonly user: number;
  readonly side: Side;
  /** Limit price of the planned order in whole USDT. */
  readonly price: bigint;
  readonly fills: number;
  readonly outcome: Outcome;
  readonly at: number;
}

/**
 * The accounts of the exchange itself (house, with the market maker's accounts) and of the outside world in the ledger.
 * Their numbers follow those of the users' accounts.
 */
export const HOUSE_ACCOUNTS = [
  ['user:HOUSE:spot:available', 'USDT'],
  ['user:HOUSE:spot:frozen', 'USDT'],
  ['user:HOUSE:spot:available', 'BTC'],
  ['user:HOUSE:spot:frozen', 'BTC'],
  ['house:fees', 'USDT'],
  ['house:fees', 'BTC'],
  ['world:USDT:TRC20', 'USDT'],
  ['world:BTC:BTC', 'BTC'],
  ['world:ETH:ERC20', 'ETH'],
  ['world:USDT:demo', 'USDT'],
  ['world:BTC:demo', 'BTC'],
] as const;

/** The ledger accounts of a user, in the order of their numbers. */
export const USER_ACCOUNTS = [
  ['available', 'USDT'],
  ['frozen', 'USDT'],
  ['available', 'BTC'],
  ['frozen', 'BTC'],
  ['available', 'ETH'],
] as const;

/**
 * The deposits of each user. The busiest user deposits a thousand times as much. `account` is an index into
 * `USER_ACCOUNTS`, and `source` is an index into `HOUSE_ACCOUNTS`.
 */
export const DEPOSITS = [
  { asset: 'USDT', network: 'TRC20', account: 0, source: 6, units: 1_000_000n * UNITS },
  { asset: 'BTC', network: 'BTC', account: 2, source: 7, units: 100n * UNITS },
  { asset: 'ETH', network: 'ERC20', account: 4, source: 8, units: 10n * UNITS },
] as const;
const BUSIEST_FUNDS = 1_000n;
/** The withdrawal of each user, with its fee, in units of 1e-8 of a coin. */
export const WITHDRAWAL = { units: 1_000_000n, fee: 10_000n } as const;

/** Computes users, orders and times for a scale. */
export class Plan {
  readonly users: number;
  readonly orders: number;
  readonly start: number;

  /** A `scale` of 1 means a million users. `now` is in milliseconds. */
  constructor(scale: number, now: number) {
    this.users = Math.max(USERS_LEAST, Math.round(USERS_AT_FULL_SCALE * scale));
    this.orders = this.users * ORDERS_PER_USER;
    this.start = now - HISTORY_MS - QUIET_MS;
  }

  /**
   * Returns the number of a user's ledger account. Users count from 1; `account` is an index into
   * `USER_ACCOUNTS`.
   */
  accountOf(user: number, account: number): number {
    return (user - 1) * ACCOUNTS_PER_USER + account + 1;
  }

  /**
   * Returns the number of the ledger account of the exchange or of the outside world that has this index in
   * `HOUSE_ACCOUNTS`.
   */
  houseAccount(place: number): number {
    return this.users * ACCOUNTS_PER_USER + place + 1;
  }

  get accounts(): number {
    return this.users * ACCOUNTS_PER_USER + HOUSE_ACCOUNTS.length;
  }

  /** Returns the time in milliseconds UTC at which a user registers and makes the deposits. */
  joinedAt(user: number): number {
    return this.start + Math.floor((user / this.users) * JOINING_MS);
  }

  /**
   * Returns the amount that a user deposits, in units of 1e-8 of a coin: `units`, which are those of an entry
   * of `DEPOSITS`, or a thousand times as much for the busiest user.
   */
  depositOf(user: number, units: bigint): bigint {
    return user === 1 ? units * BUSIEST_FUNDS : units;
  }

  /** Returns the user order with this number. Numbers start at 1. */
  order(number: number): PlannedOrder {
    const isOpen = number > this.orders - this.orders / OPEN_SHARE;
    const isCancelled = number % CANCELLED_EVERY === CANCELLED_EVERY - 1;
    const outcome = isOpen ? 'open' : isCancelled ? 'cancelled' : 'filled';
    const side = (number + (number >>> 5)) % 2 === 0 ? 'buy' : 'sell';
    const price = this.quoteOf(this.quoteNumber(number));
    return {
      number,
      user: number % BUSIEST_EVERY === 0 ? 1 : 2 + ((number * 7_919) % (this.users - 1)),
      side,
      // The limit prices of orders that remain unfilled are far from the market price.
      price: outcome === 'filled' ? price : side === 'buy' ? price / 2n : price * 2n,
      fills: outcome === 'filled' ? (number % 4 === 0 ? 3 : 2) : 2,
      outcome,
      at: this.start + JOINING_MS + Math.floor((number / this.orders) * (HISTORY_MS - JOINING_MS)),
    };
  }

  quoteNumber(order: number): number {
    return Math.floor((order - 1) / ORDERS_PER_QUOTE);
  }

  /** Returns the market maker's price in whole USDT in the quote with this number. */
  quoteOf(quote: number): bigint {
    return 60_000n + BigInt((quote * 37) % 2_000);
  }
}

/** Returns the total of a trade in units of 1e-8 USDT. The price is in whole USDT. */
export function totalAt(price: bigint): bigint {
  return price * TRADE_AMOUNT;
}

export function tradeFee(received: bigint): bigint {
  return received / FEE_DIVISOR;
}

export const HOUSE_USER = '00000000-0000-7000-8001-000000000001';

export function userId(user: number): string {
  return `00000000-0000-7000-8000-${user.toString(16).padStart(12, '0')}`;
}

/**
 * Number of users who have an open session when the measured server starts. They are the users with the lowest numbers.
 */
export const SIGNED_IN = 40;

/** Returns the session token of a user. */
export function tokenOf(user: number): string {
  return createHash('sha256').update(`large ${user}`).digest('base64url');
}

const ID_GROUPS = {
  order: '8000',
  quote: '8001',
  trade: '8002',
  deposit: '8003',
  withdrawal: '8004',
} as const;

/** Returns a UUID of version 7 that is sorted by the time `at` in milliseconds, like the ids of steps. */
export function idAt(at: number, group: keyof typeof ID_GROUPS, number: number): string {
  const time = at.toString(16).padStart(12, '0');
  const tail = number.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-${ID_GROUPS[group]}-${tail}`;
}

/** Formats an amount in units of 1e-8 as a decimal number without trailing zeros. `Decimal` would be slower. */
export function plain(units: bigint): string {
  const isNegative = units < 0n;
  const digits = (isNegative ? -units : units).toString().padStart(UNIT_DIGITS + 1, '0');
  const point = digits.length - UNIT_DIGITS;
  let end = digits.length;
  while (end > point && digits.charCodeAt(end - 1) === ZERO) end -= 1;
  const whole = digits.slice(0, point);
  return (isNegative ? '-' : '') + (end > point ? `${whole}.${digits.slice(point, end)}` : whole);
}
