import type { Decimal } from '@exchange/core/decimal.ts';
import { PROMISED_MS } from '@exchange/core/network.ts';
import { later, type Instant } from '@exchange/core/time.ts';
import type { TransferHandler, TransferKind, TransferStage } from '@exchange/core/tracking.ts';
import type { WithdrawalStage } from '@exchange/core/network.ts';
import type { Deposit, DepositProgress, Proof } from '../deposits/index.ts';
import type { Withdrawal } from '../withdrawals/index.ts';

/** A deposit, withdrawal or reported deposit in the form in which its owner sees it. */
export interface TrackedTransfer {
  readonly id: string;
  readonly kind: TransferKind;
  readonly asset: string;
  readonly network: string;
  readonly amount: Decimal;
  readonly txid: string | undefined;
  readonly stage: TransferStage;
  /** Who must act next so that the transfer continues; undefined once the transfer has ended. */
  readonly handler: TransferHandler | undefined;
  readonly confirmed: number;
  readonly confirmations: number;
  /**
   * Instant by which the exchange promises to complete the transfer. While a deposit waits for confirmations,
   * it is only the estimated time of the last confirmation. Undefined for a deposit in any other stage or
   * without an estimate, for a report that is not open, and for a withdrawal that is being returned or has
   * ended.
   */
  readonly promisedAt: Instant | undefined;
  readonly createdAt: Instant;
  readonly finishedAt: Instant | undefined;
}

interface Standing {
  readonly stage: TransferStage;
  readonly handler: TransferHandler | undefined;
}

/**
 * Returns a deposit in the form in which its owner sees it. The form does not depend on sanctions lists or
 * internal marks of the account, so it reveals neither.
 */
export function trackedDeposit(deposit: Deposit, progress: DepositProgress): TrackedTransfer {
  const { id, asset, network, amount, txid, confirmations, createdAt, finishedAt } = deposit;
  const standing = depositStanding(deposit, progress);
  return {
    ...standing,
    id,
    kind: 'deposit',
    asset,
    network,
    amount,
    txid,
    confirmed: deposit.status === 'finished' ? confirmations : progress.confirmed,
    confirmations,
    promisedAt: standing.stage === 'confirming' ? progress.expectedAt : undefined,
    createdAt,
    finishedAt,
  };
}

function depositStanding(deposit: Deposit, { isConfirmed, isPaused }: DepositProgress): Standing {
  if (deposit.status === 'finished') return { stage: 'completed', handler: undefined };
  if (deposit.goneAt !== undefined) return { stage: 'gone', handler: 'network' };
  if (deposit.status === 'rejected') return { stage: 'rejected', handler: undefined };
  if (deposit.isSmall) return { stage: 'belowMinimum', handler: 'owner' };
  if (!isConfirmed) return { stage: 'confirming', handler: 'network' };
  return isPaused ? { stage: 'paused', handler: 'payments' } : { stage: 'crediting', handler: 'system' };
}

const REPORT_STAGES = ['reviewing', 'completed', 'rejected', 'cancelled'] as const;

/**
 * Returns a user's report of a missing deposit in the form in which the user sees it. While the report is
 * open, `promisedAt` is the instant by which the exchange promises to review it; afterwards it is undefined.
 */
export function trackedReport(report: Proof): TrackedTransfer {
  const { id, asset, network, amount, credited, status, createdAt, decidedAt } = report;
  const isOpen = status === 0;
  return {
    id,
    kind: 'report',
    asset,
    network,
    amount: credited ?? amount,
    txid: undefined,
    stage: REPORT_STAGES[status],
    handler: isOpen ? 'payments' : undefined,
    confirmed: 0,
    confirmations: 0,
    promisedAt: isOpen ? later(createdAt, PROMISED_MS) : undefined,
    createdAt,
    finishedAt: decidedAt,
  };
}

/**
 * What the database row of a withdrawal does not contain: the number of its confirmations now, the stage of
 * its sending, and the promised time of completion.
 */
export interface WithdrawalProgress {
  readonly confirmed: number;
  readonly stage: WithdrawalStage | undefined;
  readonly promisedAt: Instant;
}

/**
 * Returns a withdrawal in the form in which its owner sees it. A pending withdrawal to a known address is
 * shown as being reviewed by the payments team unless sending is paused, so that a match with a sanctions
 * list looks like an ordinary review.
 */
export function trackedWithdrawal(
  withdrawal: Withdrawal,
  { confirmed, stage: sending, promisedAt }: WithdrawalProgress,
  now: Instant,
): TrackedTransfer {
  const { id, asset, network, amount, txid, confirmations, createdAt, finishedAt } = withdrawal;
  const standing = withdrawalStanding(withdrawal, sending, now);
  return {
    ...standing,
    id,
    kind: 'withdrawal',
    asset,
    network,
    amount,
    // A withdrawal that operators pay by hand shows no transaction id, because the automatically signed transaction is
    // replaced and pays nothing.
    txid: sending === 'byHand' ? undefined : txid,
    confirmed: withdrawal.status === 'finished' ? confirmations : confirmed,
    confirmations,
    promisedAt: standing.handler === undefined || standing.stage === 'returning' ? undefined : promisedAt,
    createdAt,
    finishedAt,
  };
}

function withdrawalStanding(
  { status, txid, knownAt }: Withdrawal,
  sending: WithdrawalStage | undefined,
  now: Instant,
): Standing {
  switch (status) {
    case 'pending':
      if (knownAt !== undefined && knownAt > now) return { stage: 'addressWait', handler: 'system' };
      return { stage: sending === 'paused' ? 'sendingPaused' : 'reviewing', handler: 'payments' };
    case 'processing':
      if (sending === 'returning' || sending === 'byHand') return { stage: sending, handler: 'payments' };
      if (sending === 'paused') return { stage: 'sendingPaused', handler: 'payments' };
      if (sending === 'refused') return { stage: 'refused', handler: 'payments' };
      return txid !== undefined && sending === 'sent'
        ? { stage: 'confirming', handler: 'network' }
        : { stage: 'sending', handler: 'system' };
    case 'finished':
      return { stage: 'completed', handler: undefined };
    default:
      return { stage: status, handler: undefined };
  }
}

/** Returns whether the promised time of completion has passed; false for an estimated or undefined time. */
export function isOverdue({ promisedAt, kind, stage }: TrackedTransfer, now: Instant): boolean {
  // While a deposit confirms, `promisedAt` is an estimate of its last confirmation, not a promise.
  const isEstimate = kind === 'deposit' && stage === 'confirming';
  return promisedAt !== undefined && promisedAt < now && !isEstimate;
}

/**
 * Returns the promised time of completion that the owner is shown. It is undefined while the network refuses
 * a withdrawal or sending is paused, because the end of these states is unknown. `isOverdue` uses the
 * promised time nevertheless.
 */
export function shownPromise({ promisedAt, stage }: TrackedTransfer): Instant | undefined {
  return stage === 'refused' || stage === 'sendingPaused' ? undefined : promisedAt;
}
