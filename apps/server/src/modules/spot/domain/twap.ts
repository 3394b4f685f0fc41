import type { Decimal } from '@exchange/core/decimal.ts';
import type { OrderId, UserId } from '@exchange/core/ids.ts';
import { twapChildAfterMs, twapEndsAt, twapSlippage, type TwapRequest } from '@exchange/core/spot-twap.ts';
import { later, type Instant } from '@exchange/core/time.ts';
import { ExpiryQueue } from './open-orders.ts';

/**
 * Why the next child of a TWAP order waits: trading is stopped, the opposite side of the book is empty, the best price
 * is beyond the limit price, the price is outside of the pair's price band, the balance is too small, the owner has too
 * many open orders, or the account may not trade.
 */
export const TWAP_PAUSES = ['halted', 'book', 'limit', 'band', 'funds', 'orders', 'account'] as const;
export type TwapPause = (typeof TWAP_PAUSES)[number];

/**
 * How a TWAP order ended: everything is filled, what remains is too small for an order, its time is over, or its owner
 * cancelled it.
 */
export type TwapEnding = 'filled' | 'rest' | 'time' | 'user';

/** A TWAP order with its progress: the fields without `readonly` change while it runs and when it ends. */
export interface Twap extends TwapRequest {
  readonly id: string;
  readonly owner: UserId;
  readonly symbol: string;
  /** The best price on the opposite side of the book at the start. */
  readonly startPrice: Decimal;
  readonly createdAt: Instant;
  /** Index of the next child order; child orders whose time passed during a pause are skipped. */
  next: number;
  /** Number of placed child orders. */
  placed: number;
  /** Filled amount in the base coin, and the total of the fills in the quote coin. */
  filledAmount: Decimal;
  filledTotal: Decimal;
  /** Fees so far in the coin that the child orders receive. */
  fee: Decimal;
  /** Why the next child order cannot be placed; undefined while nothing prevents it. */
  pause: TwapPause | undefined;
  /** The reasons of pauses about which the owner was notified, separated by spaces; each is reported once. */
  notified: string;
  /** How the TWAP order ended; undefined while it runs. */
  ending: TwapEnding | undefined;
  updatedAt: Instant;
}

/** The ids of a TWAP order and of one of its child orders, and the index of the child, from 0. */
export interface TwapPlace {
  readonly twap: string;
  readonly child: number;
  readonly orderId: OrderId;
}

/** The time at which the next child order of a running TWAP order is due. */
export function nextChildAt(twap: Twap): Instant {
  return later(twap.createdAt, twapChildAfterMs(twap, twap.next));
}

/** Whether the time of a TWAP order is over: true from its end time on, that time included. */
export function isOver(twap: Twap, now: Instant): boolean {
  return now >= twapEndsAt(twap, twap.createdAt);
}

export function remainingOf({ amount, filledAmount }: Twap): Decimal {
  return amount.minus(filledAmount);
}

/**
 * How much worse than the price at the start the average fill price is, in basis points with two decimals, rounded half
 * to even; negative if it is better, undefined without fills.
 */
export function slippageOf({ side, startPrice, filledAmount, filledTotal }: Twap): Decimal | undefined {
  if (filledAmount.isZero()) return undefined;
  return twapSlippage(side, startPrice, filledTotal.over(filledAmount, 'halfEven'));
}

interface Entry {
  readonly twap: Twap;
  readonly expireAt: Instant;
  readonly rank: number;
}

/** The running TWAP orders by owner and by the time of their next child. */
export class OpenTwaps {
  private readonly byId = new Map<string, Entry>();
  private readonly byOwner = new Map<UserId, Set<Twap>>();
  private readonly byTime = new ExpiryQueue<Entry>();
  private lastRank = 0;

  get(id: string): Twap | undefined {
    return this.byId.get(id)?.twap;
  }

  countOf(owner: UserId): number {
    return this.byOwner.get(owner)?.size ?? 0;
  }

  /** The running TWAP orders of an account, sorted by id. */
  allOf(owner: UserId): readonly Twap[] {
    return [...(this.byOwner.get(owner) ?? [])].sort((left, right) => (left.id < right.id ? -1 : 1));
  }

  /** The accounts with running TWAP orders. */
  get owners(): ReadonlySet<UserId> {
    return new Set(this.byOwner.keys());
  }

  hasOwner(owner: UserId): boolean {
    return this.byOwner.has(owner);
  }

  /** The TWAP orders whose next child is due, unsorted. */
  due(now: Instant): Twap[] {
    if (this.byTime.nextAt > now) return [];
    return Array.from(this.byTime.due(now), ({ twap }) => twap);
  }

  /** Adds a running TWAP order, or updates the time of its next child. */
  set(twap: Twap): void {
    this.remove(twap);
    this.lastRank += 1;
    const entry = { twap, expireAt: nextChildAt(twap), rank: this.lastRank };
    this.byId.set(twap.id, entry);
    this.byTime.add(entry);
    const ofOwner = this.byOwner.get(twap.owner);
    if (ofOwner === undefined) this.byOwner.set(twap.owner, new Set([twap]));
    else ofOwner.add(twap);
  }

  remove({ id }: Pick<Twap, 'id'>): void {
    const entry = this.byId.get(id);
    if (entry === undefined) return;
    this.byId.delete(id);
    this.byTime.remove(entry);
    const ofOwner = this.byOwner.get(entry.twap.owner)!;
    ofOwner.delete(entry.twap);
    if (ofOwner.size === 0) this.byOwner.delete(entry.twap.owner);
  }

  clear(): void {
    this.byId.clear();
    this.byOwner.clear();
    this.byTime.clear();
  }
}
