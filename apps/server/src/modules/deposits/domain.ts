import { sum, type Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { ChannelKind } from '../chains/index.ts';

export type { ChannelKind };

export type DepositStatus = 'pending' | 'finished' | 'rejected';

/** Coins that came in to somebody's address. */
export interface Deposit {
  readonly id: string;
  readonly owner: UserId;
  readonly asset: string;
  readonly network: string;
  readonly address: string;
  readonly memo: string | undefined;
  readonly txid: string;
  readonly amount: Decimal;
  readonly remark: string | undefined;
  readonly block: number;
  /** How many the network asked for when it was seen. */
  readonly confirmations: number;
  readonly status: DepositStatus;
  /** Confirmed, but less than the least that is credited. */
  readonly isSmall: boolean;
  readonly createdAt: Instant;
  readonly finishedAt: Instant | undefined;
  /** Since when its network has it no more. */
  readonly goneAt: Instant | undefined;
}

/** As they are stored and on the wire. */
export const DEPOSIT_NUMBERS: Readonly<Record<DepositStatus, number>> = {
  pending: 0,
  finished: 1,
  rejected: 2,
};

/** What becomes of a deposit. */
export type Standing = Pick<Deposit, 'status' | 'amount' | 'isSmall' | 'finishedAt' | 'goneAt'>;

/**
 * What is credited when one more deposit of a person, coin and network is confirmed: all that waits, once it comes
 * to the least, and nothing before.
 */
export function credited(
  confirmed: Deposit,
  waiting: readonly Deposit[],
  least: Decimal,
): readonly Deposit[] {
  const all = [confirmed, ...waiting.filter(({ id }) => id !== confirmed.id)];
  return sum(all.map(({ amount }) => amount)).isLess(least) ? [] : all;
}

/** One that its network has taken back: rejected unless it was credited, which stays; undefined where that is known. */
export function goneFrom(deposit: Deposit, now: Instant): Standing | undefined {
  if (deposit.goneAt !== undefined) return undefined;
  const isPending = deposit.status === 'pending';
  return {
    status: isPending ? 'rejected' : deposit.status,
    amount: deposit.amount,
    isSmall: false,
    finishedAt: deposit.finishedAt ?? now,
    goneAt: now,
  };
}

/**
 * One that its network has again, perhaps in another block: it waits for its confirmations anew. One that was credited
 * is as it was, unless it came back as another amount.
 */
export function backIn(deposit: Deposit, { amount }: Pick<Deposit, 'amount'>): Standing | undefined {
  if (deposit.goneAt === undefined) return undefined;
  if (deposit.status !== 'finished')
    return { status: 'pending', amount, isSmall: false, finishedAt: undefined, goneAt: undefined };
  if (!amount.equals(deposit.amount)) return undefined;
  const { finishedAt } = deposit;
  return { status: 'finished', amount, isSmall: false, finishedAt, goneAt: undefined };
}
