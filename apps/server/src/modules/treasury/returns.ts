import type { Decimal } from '@exchange/core/decimal.ts';
import { addressProblem, findCoinNetwork, lossProblem, type CoinNetwork } from '@exchange/core/network.ts';
import { findNetwork } from '@exchange/core/network-table.ts';
import { refusal, Refused, type Refusal } from '@exchange/core/refusal.ts';
import type { OperatorWarning } from '@exchange/wire/operation.ts';
import type { Database } from '../../platform/database/database.ts';
import { errorMessage } from '../../platform/error-message.ts';
import { SerialRuns } from '../../platform/jobs/serial-runs.ts';
import type { Log } from '../../platform/log.ts';
import type { ServerSecret } from '../../platform/secrets/server-secret.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import {
  DIGEST_PURPOSE,
  RETURN_OWNER,
  returnDigest,
  returnOrigin,
  type ApprovedReturn,
} from '../../platform/signer/protocol.ts';
import {
  ChannelAway,
  PaymentQueued,
  type Chains,
  type FeeRaise,
  type SenderFacts,
  type Sending,
  type SendingStage,
  type SignedVariant,
} from '../chains/index.ts';
import type { Ledger } from '../ledger/index.ts';
import type { Screening } from '../screening/index.ts';
import type { Arrival } from './domain.ts';
import type { NetworkPauses } from './network-pauses.ts';
import type { ReturnCommands } from './return-commands.ts';
import {
  amountAfterFee,
  returnDestination,
  returnReference,
  type ReturnDestination,
  type ReturnState,
  type SenderReturn,
} from './return-domain.ts';
import { closedReturns, findReturn, lastReturns, openReturns, returnCount } from './return-repository.ts';
import { returnWarnings } from './return-warnings.ts';
import type { Treasury } from './service.ts';

export interface ReturnParts {
  readonly chains: Pick<
    Chains,
    | 'confirmations'
    | 'confirmationsNeeded'
    | 'contracts'
    | 'isHouseAddress'
    | 'addChild'
    | 'plannedChild'
    | 'plannedRaise'
    | 'raiseFee'
    | 'recipientProblem'
    | 'send'
    | 'senderFacts'
    | 'sending'
    | 'stagesOf'
    | 'status'
    | 'void'
    | 'waitReason'
  >;
  readonly commands: ReturnCommands;
  readonly database: Pick<Database, 'store'>;
  readonly ledger: Pick<Ledger, 'isStopped'>;
  readonly log: Log;
  readonly networkPauses: Pick<NetworkPauses, 'find'>;
  readonly screening: Pick<Screening, 'addressProblem'>;
  readonly secret: Pick<ServerSecret, 'key'>;
  readonly sequencer: Pick<Sequencer, 'execute' | 'settled'>;
  readonly treasury: Pick<Treasury, 'depositOwner' | 'isUsable' | 'pausedCoins' | 'requireBookable'>;
  /** Whether no payment may be sent: true after the restore of a backup until an operator resumes sending. */
  readonly isSendingPaused: () => boolean;
}

/**
 * An operator's request to return an arrival (an incoming transfer that is no user's deposit) to its sender: the
 * receiver, and the fee that the exchange keeps.
 */
export interface AskedReturn {
  /** Address of the receiver; undefined means the sender that the network provides. */
  readonly address: string | undefined;
  readonly memo: string | undefined;
  /**
   * The fee in units of the coin; undefined means the fixed withdrawal fee of the table in `core/network.ts`.
   */
  readonly fee: Decimal | undefined;
}

/**
 * A return that operators can approve now. `amount` is sent to the receiver and `fee` is kept by the
 * exchange, both in units of the coin; together they are the amount of the arrival.
 */
export interface PlannedReturn extends ReturnDestination {
  readonly arrival: Arrival;
  readonly coin: CoinNetwork;
  readonly amount: Decimal;
  readonly fee: Decimal;
  readonly facts: SenderFacts;
  readonly warnings: readonly OperatorWarning[];
}

/** Thrown for a return that must wait, e.g. until a pause ends; it is not logged as a failure. */
class ReturnHeld extends Error {}

const LIST_SIZE = 200;

/**
 * Sends arrivals without an owner back to their senders after two operators have approved it. Each return is signed
 * only once, under its name, and tracked until its end. If a return ends without a payment, its arrival is undecided
 * again. All work can be repeated safely.
 */
export class Returns {
  private readonly parts: ReturnParts;
  private readonly key: Buffer;
  private readonly runs = new SerialRuns(() => this.moveAll());
  /**
   * Why open returns could not be continued in the last run, by the id of the return; `isProblem` is true if operators
   * must act.
   */
  private waiting: ReadonlyMap<string, { readonly text: string; readonly isProblem: boolean }> = new Map();

  constructor(parts: ReturnParts) {
    this.parts = parts;
    this.key = parts.secret.key(DIGEST_PURPOSE);
  }

  /**
   * Continues all returns that have not ended: sends approved ones, follows sent ones, and ends those whose transaction
   * is final or can no longer be mined.
   */
  check(): Promise<void> {
    return this.runs.run();
  }

  /** The reasons of those waiting returns that operators have to act on; empty if there are none. */
  get problems(): readonly string[] {
    return [...this.waiting.values()].flatMap(({ text, isProblem }) => (isProblem ? [text] : []));
  }

  /** Returns why a return could not be continued in the last run; undefined if nothing prevents it. */
  reasonOf(id: string): string | undefined {
    return this.waiting.get(id)?.text;
  }

  /**
   * Reads the returns of arrivals to their senders that have not ended, oldest first, at most `LIST_SIZE`.
   */
  open() {
    return openReturns(this.parts.database.store, LIST_SIZE);
  }

  closed() {
    return closedReturns(this.parts.database.store, LIST_SIZE);
  }

  /**
   * Returns the state of the last return of each arrival, by the id of the arrival; arrivals without returns
   * are left out.
   */
  lastOf(arrivals: readonly string[]): Promise<ReadonlyMap<string, ReturnState>> {
    return lastReturns(this.parts.database.store, arrivals);
  }

  /** Returns the number of returns of an arrival that were ever approved, in whatever state. */
  countOf(arrival: string): Promise<number> {
    return returnCount(this.parts.database.store, arrival);
  }

  /**
   * Returns how far the payments of returns have come, by the id of the return. Returns without a known stage
   * are left out, for example those whose signature was not requested yet.
   */
  async stagesOf(returns: readonly SenderReturn[]): Promise<ReadonlyMap<string, SendingStage>> {
    const stages = new Map<string, SendingStage>();
    for (const network of new Set(returns.map((each) => each.network))) {
      const ofNetwork = returns.filter((each) => each.network === network);
      const found = await this.parts.chains.stagesOf(network, ofNetwork.map(originOf));
      for (const each of ofNetwork) {
        const stage = found.get(originOf(each));
        if (stage !== undefined) stages.set(each.id, stage);
      }
    }
    return stages;
  }

  /**
   * Returns the return to the sender that a request by an operator would make. Refuses an arrival that cannot
   * be decided now or that an operator registered, a coin that the exchange cannot send, a receiver that
   * cannot or must not be paid, and an amount that is too small.
   */
  async plan(id: string, asked: AskedReturn): Promise<PlannedReturn> {
    const { chains, screening, treasury } = this.parts;
    const arrival = await treasury.requireBookable(id);
    const { asset, network } = arrival;
    const coin = findCoinNetwork(asset, network)!;
    // If arrivals that operators registered could be returned, operators could register a payment that was never made,
    // or a payment twice, and have it paid out.
    if (arrival.registeredBy !== undefined) throw new Refused(refusal('closed', 'l.return_registered'));
    if (chains.sending(asset, network) === 'none')
      throw new Refused(refusal('closed', 'l.return_not_sent', { limit: coin.network.name, unit: asset }));
    const destination = returnDestination(arrival, coin, asked);
    const fee = asked.fee ?? coin.fee;
    const amount = amountAfterFee(arrival, coin, fee);
    const problem =
      (await this.receiverProblem(coin, destination)) ??
      (await chains.recipientProblem({ asset, network }, destination, amount)) ??
      (await screening.addressProblem(destination.address));
    if (problem !== undefined) throw new Refused(problem);
    const facts = await chains.senderFacts(network, destination.address);
    return {
      ...destination,
      arrival,
      coin,
      amount,
      fee,
      facts,
      warnings: returnWarnings(arrival, destination, { network: coin.network, facts }),
    };
  }

  /** Approves a return, which is signed and sent afterwards. Returns the id of the return; refuses like `plan`. */
  async approve(
    id: string,
    asked: AskedReturn,
    decision: { readonly by: string; readonly reason: string },
  ): Promise<{ readonly id: string }> {
    const { arrival, address, memo, amount, fee, isFromChain } = await this.plan(id, asked);
    const { network, asset } = arrival;
    const reference = returnReference(arrival, (await this.countOf(id)) + 1);
    const digest = this.digestOf({ reference, network, asset, address, memo, amount });
    const { sequencer, commands } = this.parts;
    return sequencer.execute(commands.approveReturn, {
      arrival: id,
      reference,
      address,
      memo,
      amount,
      fee,
      isFromChain,
      digest,
      ...decision,
    });
  }

  /** Returns a return to a sender by its id. Refuses an unknown one and one that has ended. */
  async requireOpen(id: string): Promise<SenderReturn> {
    const found = await findReturn(this.parts.database.store, id);
    if (found === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    if (found.closedAt !== undefined) throw new Refused(refusal('closed', 'l.transfer_decided'));
    return found;
  }

  /**
   * Cancels a return. When it is certain that its transaction cannot be mined, the arrival is undecided again. `usedBy`
   * is the id of a transaction that the exchange has no record of and that used the nonce of the return's transaction.
   * Refuses a return that has ended.
   */
  async cancel(
    id: string,
    decision: { readonly usedBy: string | undefined; readonly by: string; readonly reason: string },
  ): Promise<void> {
    await this.requireOpen(id);
    await this.parts.sequencer.execute(this.parts.commands.cancelReturn, { id, ...decision });
  }

  /**
   * Returns the network fees that `raiseFee` with the same arguments would cause; signs nothing. Refuses
   * whatever `raiseFee` would refuse.
   */
  async plannedRaise(id: string, maxFee: bigint): Promise<FeeRaise> {
    const found = await this.requireOpen(id);
    const raise = await this.parts.chains.plannedRaise(found.network, originOf(found), maxFee);
    if (raise === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    return raise;
  }

  /**
   * Replaces the transaction of a return by a transaction with the same payments and a network fee of up to `maxFee`
   * (see `Channel.raiseFee`), and returns the new transaction. Refuses a return that has ended, and what
   * `Channel.raiseFee` refuses.
   */
  async raiseFee(id: string, maxFee: bigint): Promise<SignedVariant> {
    const found = await this.requireOpen(id);
    const variant = await this.parts.chains.raiseFee(found.network, originOf(found), maxFee);
    if (variant === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    return variant;
  }

  /**
   * Returns the network fees that `addChild` (a child transaction that raises the fee of the return's
   * payment) with the same arguments would cause; signs nothing. Refuses whatever `addChild` would refuse.
   */
  async plannedChild(id: string, maxFee: bigint): Promise<FeeRaise> {
    const found = await this.requireOpen(id);
    return this.parts.chains.plannedChild(found.network, originOf(found), maxFee);
  }

  /**
   * Signs and broadcasts a child transaction, which spends the change of a return's transaction (or of its
   * last child) and pays enough that they all together pay the fee rate `maxFee` (see `ChannelChildren.add`).
   * Refuses a return that has ended, and what `ChannelChildren.add` refuses. Returns the child transaction.
   */
  async addChild(id: string, maxFee: bigint): Promise<SignedVariant> {
    const found = await this.requireOpen(id);
    return this.parts.chains.addChild(found.network, originOf(found), maxFee);
  }

  /**
   * Returns the refusal to return coins to an address that is no valid or usable address of the network, or
   * is an address of the exchange; undefined if the address can be paid.
   */
  private async receiverProblem(
    coin: CoinNetwork,
    { address, memo }: ReturnDestination,
  ): Promise<Refusal | undefined> {
    const { chains, treasury } = this.parts;
    const { network } = coin;
    const typed = memo === undefined ? { address, withoutMemo: true } : { address, memo };
    const problem =
      addressProblem(coin, typed) ?? lossProblem(network, address, chains.contracts(network.code));
    if (problem !== undefined) return problem;
    const isOurs =
      chains.isHouseAddress(network.code, address) ||
      (await treasury.depositOwner(network.code, address)) !== undefined;
    return isOurs
      ? refusal('invalidField', 'l.return_own_address', { field: 'address', value: address })
      : undefined;
  }

  private async moveAll(): Promise<void> {
    const waiting = new Map<string, { text: string; isProblem: boolean }>();
    for (const each of (await this.open()).list) {
      const reason = await this.moveOne(each);
      if (reason !== undefined) waiting.set(each.id, reason);
    }
    this.waiting = waiting;
  }

  /**
   * Sends, tracks or cancels an approved return. Returns the reason if the return must wait, otherwise undefined. Never
   * throws.
   */
  private async moveOne(
    approved: SenderReturn,
  ): Promise<{ readonly text: string; readonly isProblem: boolean } | undefined> {
    try {
      if (approved.state === 'cancelling') await this.voidReturn(approved);
      else if (!(await this.settle(approved)) && approved.txid === undefined) await this.send(approved);
      return undefined;
    } catch (cause) {
      if (cause instanceof PaymentQueued || cause instanceof ReturnHeld)
        return { text: errorMessage(cause), isProblem: false };
      const { id, asset, network } = approved;
      const text = `the return of ${asset} on ${network} is not sent: ${errorMessage(cause)}`;
      if (!(cause instanceof ChannelAway) && this.reasonOf(id) !== text)
        this.parts.log.warn('treasury.return_waits', { return: id, cause });
      // If the network's node does not answer, the channel reports a problem, so the return reports none.
      return { text, isProblem: !(cause instanceof ChannelAway) };
    }
  }

  private async send(approved: SenderReturn): Promise<void> {
    const { chains, commands, sequencer } = this.parts;
    const { id } = approved;
    await this.requireSendable(approved);
    if (this.digestOf(approved) !== approved.digest)
      throw new Error('the return is not what two operators approved');
    // A broadcast transaction cannot be recalled, so the approval must be committed before the transaction is sent.
    await sequencer.settled();
    const { txid, block } = await chains.send(sendingOf(approved));
    await sequencer.execute(commands.returnSent, sentInput(id, txid, block));
  }

  /**
   * Throws `ReturnHeld` with the reason if the payment of a return must not be signed now, e.g. while sending, the coin
   * or the network is paused, or if the network has dropped the arrival or a sanctions list contains the receiver.
   */
  private async requireSendable({ arrival, asset, network, address }: SenderReturn): Promise<void> {
    const { ledger, isSendingPaused, networkPauses, screening, treasury } = this.parts;
    if (isSendingPaused()) throw new ReturnHeld('nothing is sent until the restored database was compared');
    if (ledger.isStopped(asset) || treasury.pausedCoins.has(asset))
      throw new ReturnHeld(`${asset} is stopped`);
    if (networkPauses.find(network, 'withdrawals') !== undefined)
      throw new ReturnHeld(`withdrawals on ${network} are paused`);
    if (!(await treasury.isUsable(arrival)))
      throw new ReturnHeld('the network has dropped the arrival: cancel the return if it stays gone');
    // The sanctions lists may have changed since the approval, so the receiver is checked again.
    const problem = await screening.addressProblem(address);
    if (problem?.key === 'l.screening_address')
      throw new ReturnHeld(
        `the sanctions list ${problem.parameters['limit']} has the receiver: cancel the return`,
      );
    if (problem !== undefined) throw new ReturnHeld('no sanctions list was imported');
  }

  /**
   * Updates a return from the status of its signed payment; ends the return when the payment is final, has failed or
   * can no longer be mined. Returns false if no payment is signed yet. Throws `ReturnHeld` with the reason if the
   * signed payment waits for operators.
   */
  private async settle(approved: SenderReturn): Promise<boolean> {
    const { chains, commands, ledger, sequencer } = this.parts;
    const { id, network, asset, amount } = approved;
    const status = await chains.status(network, originOf(approved));
    if (status.state === 'unknown') return false;
    if (status.state === 'voided' || status.state === 'failed') {
      const state = status.state === 'voided' ? ('cancelled' as const) : ('failed' as const);
      await sequencer.execute(commands.endReturn, { id, state });
      return true;
    }
    const block = status.state === 'mined' ? status.block : undefined;
    if (status.txid !== approved.txid || (block !== undefined && block !== approved.block))
      await sequencer.execute(commands.returnSent, sentInput(id, status.txid, block));
    const terms = findNetwork(network);
    const isFinal =
      terms !== undefined &&
      chains.confirmations(network, block) >= chains.confirmationsNeeded(terms, amount);
    // The end of a return posts its fee. While the coin is halted nothing can be posted, so the return ends after the
    // halt.
    if (isFinal && !ledger.isStopped(asset))
      await sequencer.execute(commands.endReturn, { id, state: 'done' as const });
    // Payments on a network may wait for operators, e.g. for a higher network fee.
    const reason = block === undefined ? chains.waitReason(network, originOf(approved)) : undefined;
    if (reason !== undefined) throw new ReturnHeld(reason);
    return true;
  }

  private async voidReturn(cancelled: SenderReturn): Promise<void> {
    const { chains, commands, sequencer } = this.parts;
    const { id, usedBy } = cancelled;
    const status = await chains.void(sendingOf(cancelled), usedBy);
    if (status.state === 'mined' || status.state === 'failed') await this.settle(cancelled);
    if (status.state === 'unsigned' || status.state === 'voided')
      await sequencer.execute(commands.endReturn, { id, state: 'cancelled' as const });
  }

  private digestOf({
    reference,
    network,
    asset,
    address,
    memo,
    amount,
  }: Pick<SenderReturn, 'reference'> & Omit<ApprovedReturn, 'id' | 'owner'>): string {
    return returnDigest(this.key, {
      id: reference,
      owner: RETURN_OWNER,
      network,
      asset,
      address,
      memo,
      amount,
    });
  }
}

function originOf({ reference }: Pick<SenderReturn, 'reference'>): string {
  return returnOrigin(reference);
}

/** Returns the payment of a return, in the form that its network's channel expects. */
function sendingOf(approved: SenderReturn): Sending {
  const { network, asset, address, memo, amount, approvedBy, digest } = approved;
  return {
    origin: originOf(approved),
    network,
    asset,
    address,
    memo,
    amount,
    approvedBy,
    confirmed: { owner: RETURN_OWNER, digest },
  };
}

/** Returns the input of the command `returnSent`, without the field `block` if it is undefined. */
function sentInput(id: string, txid: string, block: number | undefined) {
  return block === undefined ? { id, txid } : { id, txid, block };
}
