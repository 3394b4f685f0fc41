import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { ChannelKind } from '../chains/index.ts';

export type { ChannelKind };
export type { NetworkPause } from '../treasury/index.ts';

export type DepositStatus = 'pending' | 'finished' | 'rejected';

/** A transfer to a user's deposit address, or a payment that operators credited to a user by hand. */
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
  /**
   * Number of confirmations that the deposit needs, as determined when it was first seen; 1 if operators credited the
   * payment.
   */
  readonly confirmations: number;
  readonly status: DepositStatus;
  /** True while the deposit is confirmed but not credited, because it is below the minimum. */
  readonly isSmall: boolean;
  readonly createdAt: Instant;
  readonly finishedAt: Instant | undefined;
  /**
   * Time at which the network dropped the transfer of the deposit; undefined if it never did, and again after the
   * transfer reappeared (for a credited deposit, with the same amount).
   */
  readonly goneAt: Instant | undefined;
  /**
   * True if the deposit was debited from its owner, because the network dropped its transfer after the credit; false
   * again after that debit is cancelled.
   */
  readonly isClaimed: boolean;
}

/** Numbers of the statuses of a deposit, in the database and in the API. */
export const DEPOSIT_NUMBERS: Readonly<Record<DepositStatus, number>> = {
  pending: 0,
  finished: 1,
  rejected: 2,
};

/** The fields of a deposit that change when its network drops its transfer or contains it again. */
export type DepositState = Pick<Deposit, 'status' | 'amount' | 'isSmall' | 'finishedAt' | 'goneAt'>;

/**
 * New state of a deposit whose transfer the network dropped: rejected if it was pending; otherwise its status stays.
 * Undefined if the drop is already recorded.
 */
export function stateAfterDrop(deposit: Deposit, now: Instant): DepositState | undefined {
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
 * New state of a deposit whose dropped transfer reappeared, perhaps in another block: pending again. A deposit that was
 * credited before the drop stays credited and is no longer marked as dropped, unless the amount differs. Undefined if
 * nothing changes.
 */
export function stateAfterReturn(
  deposit: Deposit,
  { amount }: Pick<Deposit, 'amount'>,
): DepositState | undefined {
  if (deposit.goneAt === undefined) return undefined;
  if (deposit.status !== 'finished')
    return { status: 'pending', amount, isSmall: false, finishedAt: undefined, goneAt: undefined };
  if (!amount.equals(deposit.amount)) return undefined;
  const { finishedAt } = deposit;
  return { status: 'finished', amount, isSmall: false, finishedAt, goneAt: undefined };
}

/** Names, for operators, of the status numbers of a deposit that a user reported. */
export const REPORT_STATUSES = ['pending', 'credited', 'rejected', 'cancelled'] as const;
