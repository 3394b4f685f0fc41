import type { ReturnReason } from '@exchange/core/network.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Bulkheads } from '../../platform/jobs/bulkheads.ts';
import type { Log } from '../../platform/log.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Chains, FeeRaise, SignedVariant } from '../chains/index.ts';
import type { Ledger } from '../ledger/index.ts';
import { requireStatus, type WithdrawalCommands } from './commands.ts';
import { exitProblem, originOf, type Withdrawal, type WithdrawalExit } from './domain.ts';
import { paymentOf, sendingOf } from './payment.ts';
import { isTxidUsed } from './repository.ts';
import type { Withdrawals } from './service.ts';

export interface ExitParts {
  readonly bulkheads: Bulkheads;
  readonly chains: Pick<
    Chains,
    'addChild' | 'paymentsIn' | 'plannedChild' | 'plannedRaise' | 'raiseFee' | 'signedFor' | 'void'
  >;
  readonly commands: WithdrawalCommands;
  readonly database: Pick<Database, 'store'>;
  readonly ledger: Pick<Ledger, 'isStopped'>;
  readonly log: Log;
  readonly sequencer: Pick<Sequencer, 'execute'>;
  readonly withdrawals: Pick<Withdrawals, 'require'>;
}

/** The exit of a withdrawal that operators choose; see `WithdrawalExit`. */
export type ChosenExit =
  | { readonly kind: 'return'; readonly reason: ReturnReason; readonly txid?: string }
  | { readonly kind: 'paid'; readonly txid?: string };

/**
 * Use cases for a withdrawal that its network does not accept as it was signed. Operators choose one of four
 * ways: its amount is returned to the owner; they pay it by hand and it is finished with their transaction;
 * its transaction is replaced by one with a higher fee; or a child transaction raises its fee. The withdrawal
 * job executes the first two.
 */
export class WithdrawalExits {
  private readonly parts: ExitParts;

  constructor(parts: ExitParts) {
    this.parts = parts;
  }

  /**
   * Returns all transactions that were signed for a withdrawal, replacements included, oldest first. Refuses
   * an unknown withdrawal.
   */
  async signedFor(id: string): Promise<readonly SignedVariant[]> {
    const { chains, withdrawals } = this.parts;
    const withdrawal = await withdrawals.require(id);
    return chains.signedFor(withdrawal.network, originOf(withdrawal));
  }

  /**
   * Returns the withdrawal if `choose` would accept this exit; refuses otherwise. If the transaction of a
   * payment by hand is named, it must be confirmed, pay exactly the withdrawal's arriving amount (without the
   * fee) in its coin to its receiver with its memo, and belong to no other withdrawal.
   */
  async requireExit(id: string, exit: ChosenExit): Promise<Withdrawal> {
    const { chains, database, withdrawals } = this.parts;
    const withdrawal = await withdrawals.require(id);
    const problem = exitProblem(withdrawal, exit.kind);
    if (problem !== undefined) throw new Refused(problem);
    if (exit.kind === 'return' || exit.txid === undefined) return withdrawal;
    const { network } = withdrawal;
    const payment = paymentOf(withdrawal, await chains.paymentsIn(network, exit.txid));
    if (payment?.isFinal !== true)
      throw new Refused(
        refusal(
          'invalidField',
          payment === undefined ? 'l.withdraw_not_paid' : 'l.withdraw_paid_unconfirmed',
          { field: 'txid', limit: network, value: exit.txid },
        ),
      );
    if (await isTxidUsed(database.store, withdrawal, exit.txid))
      throw new Refused(refusal('duplicate', 'l.withdraw_txid_used', { field: 'txid', value: exit.txid }));
    return withdrawal;
  }

  /**
   * Stores the exit that two operators chose for a withdrawal, and returns the withdrawal; refuses like `requireExit`.
   * The exit takes effect when it is certain that no transaction that was signed for the withdrawal can be mined.
   */
  async choose(id: string, exit: ChosenExit, by: string): Promise<Withdrawal> {
    const { bulkheads, sequencer, commands, withdrawals } = this.parts;
    const { owner } = await this.requireExit(id, exit);
    await sequencer.execute(commands.exit, { id, owner, by, exit });
    bulkheads.bulkheadOf('withdrawals').retryNow(id);
    return withdrawals.require(id);
  }

  /**
   * Returns the network fees that `raiseFee` with the same arguments would cause; signs nothing. Refuses an
   * unknown withdrawal, one that is not approved or has ended, one without a signed transaction, and a fee
   * that `Channel.raiseFee` refuses.
   */
  async plannedRaise(id: string, maxFee: bigint): Promise<FeeRaise> {
    const { chains, withdrawals } = this.parts;
    const withdrawal = await withdrawals.require(id);
    requireStatus(withdrawal, 'processing');
    const raise = await chains.plannedRaise(withdrawal.network, originOf(withdrawal), maxFee);
    if (raise === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    return raise;
  }

  /**
   * Replaces the withdrawal's transaction by one that makes the same payment, with a network fee of up to
   * `maxFee`, in the units of `Channel.raiseFee`. Returns the new transaction. Refuses whatever
   * `plannedRaise` refuses.
   */
  async raiseFee(id: string, maxFee: bigint): Promise<SignedVariant> {
    const { chains, withdrawals } = this.parts;
    const withdrawal = await withdrawals.require(id);
    requireStatus(withdrawal, 'processing');
    const variant = await chains.raiseFee(withdrawal.network, originOf(withdrawal), maxFee);
    if (variant === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    return variant;
  }

  /**
   * Returns the network fees that `addChild` (a child transaction that raises the fee of the withdrawal's
   * payment) with the same arguments would cause; signs nothing. Refuses whatever `addChild` would refuse.
   */
  async plannedChild(id: string, maxFee: bigint): Promise<FeeRaise> {
    const { chains, withdrawals } = this.parts;
    const withdrawal = await withdrawals.require(id);
    requireStatus(withdrawal, 'processing');
    return chains.plannedChild(withdrawal.network, originOf(withdrawal), maxFee);
  }

  /**
   * Signs and broadcasts a child transaction, which spends the change of the withdrawal's transaction (or of
   * its last child) and pays enough that they all together pay the fee rate `maxFee` (see
   * `ChannelChildren.add`). Refuses an unknown withdrawal, one that is not approved or has ended, and what
   * `ChannelChildren.add` refuses. Returns the child transaction.
   */
  async addChild(id: string, maxFee: bigint): Promise<SignedVariant> {
    const { chains, withdrawals } = this.parts;
    const withdrawal = await withdrawals.require(id);
    requireStatus(withdrawal, 'processing');
    return chains.addChild(withdrawal.network, originOf(withdrawal), maxFee);
  }

  /**
   * Ends a withdrawal by the exit that was chosen for it, as far as that is possible now. Returns true if the
   * withdrawal's own transaction was mined first: the exit then has no effect, and the caller settles the withdrawal by
   * that transaction. Otherwise returns false.
   */
  async execute(withdrawal: Withdrawal, exit: WithdrawalExit): Promise<boolean> {
    const { ledger } = this.parts;
    const usedBy = exit.kind === 'return' ? exit.txid : undefined;
    const voided = await this.voidPayment(withdrawal, usedBy);
    if (voided === 'mined') return true;
    if (voided === 'never' && !ledger.isStopped(withdrawal.asset)) await this.end(withdrawal, exit);
    return false;
  }

  /**
   * Executes an exit. For a return, the amount goes back to the owner. For a payment by hand, the withdrawal is
   * finished once that payment is confirmed; while its transaction is not named yet, it is stored that the withdrawal
   * may be paid by hand.
   */
  private async end(withdrawal: Withdrawal, exit: WithdrawalExit): Promise<void> {
    const { chains, commands, log, sequencer } = this.parts;
    const { id, owner, network } = withdrawal;
    if (exit.kind === 'return') {
      await sequencer.execute(commands.return, { id, owner });
      return;
    }
    if (exit.txid === undefined) {
      if (exit.readyAt === undefined) await sequencer.execute(commands.exitReady, { id });
      return;
    }
    const payment = paymentOf(withdrawal, await chains.paymentsIn(network, exit.txid));
    if (payment?.isFinal === true)
      await sequencer.execute(commands.finishPaid, { id, owner, txid: exit.txid, block: payment.block });
    else log.warn('withdrawals.paid_by_hand_not_found', { withdrawal: id, txid: exit.txid });
  }

  /**
   * Replaces the withdrawal's own transaction so that it cannot be mined. Returns `never` once that is certain, `mined`
   * if it was mined before (successfully or not), and `waiting` while neither is certain.
   */
  private async voidPayment(
    withdrawal: Withdrawal,
    usedBy: string | undefined,
  ): Promise<'never' | 'waiting' | 'mined'> {
    const status = await this.parts.chains.void(sendingOf(withdrawal), usedBy);
    switch (status.state) {
      case 'mined':
      case 'failed':
        return 'mined';
      case 'unsigned':
      case 'voided':
        return 'never';
      default:
        return 'waiting';
    }
  }
}
