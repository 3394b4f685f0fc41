import type { UserId } from '@exchange/core/ids.ts';
import { holdProblem } from '@exchange/core/network.ts';
import { refusal, type Refusal, Refused } from '@exchange/core/refusal.ts';
import { instant, type Instant } from '@exchange/core/time.ts';
import type { Identity } from '../identity/index.ts';
import type { Ledger } from '../ledger/index.ts';
import type { NetworkPauses, Treasury } from '../treasury/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { RESTORED_FROM } from '../../platform/backup/backup.ts';
import { requireText } from '../../platform/console/field-values.ts';
import type { BoundedRows } from '../../platform/database/bounded-rows.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import {
  findOpenPayment,
  isCompared,
  openPaymentCount,
  openPayments,
  settlePayment,
  type OpenPayment,
} from './restore-repository.ts';
import { isResumed, storedSetting, storeResumption } from './repository.ts';

const NEVER = instant(0);

/** Whether an account is frozen, whether its owner is verified, and until when it must not withdraw. */
export interface WithdrawalAccountStatus {
  readonly frozen: boolean;
  readonly verified: boolean;
  /** The account cannot withdraw before this instant; an instant in the past stops nothing. */
  readonly holdUntil: Instant;
}

/**
 * Returns whether a user's account is frozen or verified, and the end of its hold on withdrawals; an unknown
 * account counts as frozen and not verified.
 */
export async function withdrawalAccountStatus(
  identity: Pick<Identity, 'prepare' | 'withdrawalHold'>,
  owner: UserId,
): Promise<WithdrawalAccountStatus> {
  const status = await identity.prepare(owner);
  const holdUntil = (await identity.withdrawalHold(owner)) ?? NEVER;
  return { frozen: status?.frozen ?? true, verified: status?.verified ?? false, holdUntil };
}

/** Returns the refusal of withdrawals from the account at `now`; undefined if the account may withdraw. */
export function withdrawalAccountProblem(
  { frozen, holdUntil }: WithdrawalAccountStatus,
  now: Instant,
): Refusal | undefined {
  return frozen ? refusal('securityHold', 'l.account_frozen') : holdProblem(holdUntil, now);
}

/**
 * Determines whether the sending of withdrawals is stopped at present: of all, of a coin, or on a network.
 */
export class SendingStops {
  private readonly parts: {
    readonly ledger: Pick<Ledger, 'isStopped'>;
    readonly networkPauses: Pick<NetworkPauses, 'find'>;
    readonly pause: Pick<SendingPause, 'pausedBy'>;
    readonly treasury: Pick<Treasury, 'pausedCoins'>;
  };

  constructor(parts: SendingStops['parts']) {
    this.parts = parts;
  }

  /**
   * Returns whether withdrawals of this coin on this network are not signed at the moment: the coin is halted
   * or paused, withdrawals on the network are paused, or sending is not resumed yet after a restore.
   */
  isPaused({ asset, network }: { readonly asset: string; readonly network: string }): boolean {
    const { ledger, networkPauses, pause, treasury } = this.parts;
    return (
      ledger.isStopped(asset) ||
      treasury.pausedCoins.has(asset) ||
      networkPauses.find(network, 'withdrawals') !== undefined ||
      pause.pausedBy !== undefined
    );
  }
}

const TEXT_MAX = 500;

interface Parts {
  readonly clock: Clock;
  readonly log: Log;
  readonly database: Pick<Database, 'reader' | 'store'>;
  /** Whether a signer sends on any network; the chains are then compared before sending is resumed. */
  readonly hasSigner: boolean;
}

/**
 * Stops the sending of all payments after a restore from backup, because the database lacks the payments
 * since the backup. Operators compare the database with the chains and then resume sending. Meanwhile,
 * payments that were sent before the backup are still tracked.
 */
export class SendingPause {
  private readonly parts: Parts;
  /**
   * Time at which the restored backup was made, as ISO 8601 text. It is set until an operator resumes
   * sending; undefined if sending is allowed.
   */
  private backup: string | undefined;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  async load(): Promise<void> {
    const { database, log } = this.parts;
    const backup = await storedSetting(database.reader, RESTORED_FROM);
    const isPaused = backup !== undefined && !(await isResumed(database.reader, backup));
    this.backup = isPaused ? backup : undefined;
    if (isPaused) log.warn('withdrawals.paused_after_restore', { backup });
  }

  /**
   * Time at which the restored backup was made, as ISO 8601 text, because of which sending is paused;
   * undefined if sending is allowed.
   */
  get pausedBy(): string | undefined {
    return this.backup;
  }

  /**
   * Refuses, while sending is paused after a restore, to return the amount of a pending withdrawal: its coins may have
   * been sent already, which only the comparison with the signers' journals and the chains shows.
   */
  requireReleasable(): void {
    if (this.backup !== undefined) throw new Refused(refusal('maintenance', 'l.withdraw_restoring'));
  }

  /**
   * Refuses to resume sending if the restored database is not compared with the signers' journals and the chains, or if
   * a payment that the comparison found is not settled. Accepts if sending is not paused, or if no signer sends on any
   * network.
   */
  async requireResumable(): Promise<void> {
    const { backup } = this;
    const { database } = this.parts;
    if (backup === undefined || !this.parts.hasSigner) return;
    if (!(await isCompared(database.store, backup)))
      throw new Refused(refusal('generic', 'l.restore_not_compared'));
    if ((await openPaymentCount(database.store, backup)) > 0)
      throw new Refused(refusal('generic', 'l.restore_not_settled'));
  }

  /**
   * Returns the pause of sending as operators see it: whether the database was compared with the signers'
   * journals and the chains, and how many of the payments that the comparison found are not settled. Without
   * a signer the database counts as compared. Undefined if sending is allowed.
   */
  async overview(): Promise<
    { readonly restoredFrom: string; readonly isCompared: boolean; readonly unsettled: number } | undefined
  > {
    const { backup } = this;
    const { database } = this.parts;
    if (backup === undefined) return undefined;
    const [wasCompared, unsettled] = await Promise.all([
      isCompared(database.store, backup),
      openPaymentCount(database.store, backup),
    ]);
    return {
      restoredFrom: backup,
      // Without a signer nothing was sent automatically, so there is nothing to compare.
      isCompared: wasCompared || !this.parts.hasSigner,
      unsettled,
    };
  }

  /**
   * Returns signed payments that the restored database does not count as sent and that operators have not
   * settled: the first `limit`, and their number. Empty if sending is not paused.
   */
  async openPayments(limit: number): Promise<BoundedRows<OpenPayment>> {
    const { backup } = this;
    if (backup === undefined) return { list: [], total: 0, hasMore: false };
    return openPayments(this.parts.database.store, backup, limit);
  }

  /**
   * Returns the payment with this id that operators have not settled yet, and the number of all such
   * payments. Refuses with `l.not_found` if the payment is unknown or settled, or if sending is not paused.
   */
  async requireOpenPayment(id: string): Promise<{ readonly payment: OpenPayment; readonly waiting: number }> {
    const { backup } = this;
    const { store } = this.parts.database;
    const payment = backup === undefined ? undefined : await findOpenPayment(store, backup, id);
    if (backup === undefined || payment === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    return { payment, waiting: await openPaymentCount(store, backup) };
  }

  /**
   * Marks a payment that was found after a restore as settled; `settlement` names the booking for it. Refuses
   * an unknown payment, one that is settled already, and a `settlement` that is empty or longer than
   * `TEXT_MAX` characters.
   */
  async settle(id: string, { by, settlement }: { by: string; settlement: string }): Promise<void> {
    const { clock, database } = this.parts;
    requireText('settlement', settlement, TEXT_MAX);
    if (!(await settlePayment(database.store, { id, by, settlement, at: clock.now() })))
      throw new Refused(refusal('generic', 'l.not_found'));
  }

  async resume(by: string, reason: string): Promise<void> {
    await this.requireResumable();
    const { clock, database, log } = this.parts;
    const { backup } = this;
    if (backup === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    requireText('reason', reason, TEXT_MAX);
    await storeResumption(database.store, { restoredFrom: backup, by, reason, at: clock.now() });
    this.backup = undefined;
    log.warn('withdrawals.resumed_after_restore', { backup, by, reason });
  }
}
