import { Decimal } from '@exchange/core/decimal.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Transaction } from 'ethers';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { errorMessage } from '../../platform/error-message.ts';
import type { Log } from '../../platform/log.ts';
import type { SignerClient } from '../../platform/signer/client.ts';
import {
  feesOf,
  GAS_TAG,
  transferData,
  type ColdRequest,
  type DepositRequest,
  type SigningRequest,
  type VariantRequest,
} from '../../platform/signer/protocol.ts';
import { PaymentRefused } from './channel.ts';
import {
  approverOf,
  type FeeRaise,
  type PaymentCost,
  type Sending,
  type SendingStatus,
  type Sent,
  type SignedVariant,
  type SweepTerms,
  type VoidStatus,
} from './domain.ts';
import {
  boundedFees,
  COIN_DIGITS,
  raisedFees,
  type EvmFees,
  type EvmReceipt,
  type EvmTerms,
} from './evm-domain.ts';
import { balanceCall, NodeRefused, type EvmNode } from './evm-node.ts';
import {
  findSending,
  insertSending,
  markSent,
  markSigning,
  nextNonce,
  storeSigned,
  storeVariants,
  unansweredOrigins,
  variantsOf,
  type StoredSending,
  type StoredVariant,
} from './evm-repository.ts';
import { requireNotVoided, storeVoid } from './repository.ts';

interface Parts {
  readonly terms: EvmTerms;
  readonly chainId: number;
  /** Code of the chain's own coin, in which fees are paid; the exchange need not list it. */
  readonly feeCoin: string;
  /** Address of the hot wallet, which pays; only the signer has its private key. */
  readonly wallet: string;
  /** Returns the deposit address with a derivation index, derived from the extended public key. */
  readonly depositAddress: (index: number) => Promise<string>;
  readonly signer: SignerClient;
  readonly node: EvmNode;
  readonly clock: Clock;
  readonly database: Pick<Database, 'store'>;
  readonly log: Log;
  /** Returns true if a block has the required confirmations. */
  readonly isFinal: (block: number) => boolean;
  /** Returns the number of the newest block that was read. */
  readonly height: () => number;
  /** Returns the number of the newest block that has the required confirmations. */
  readonly finalBlock: () => number;
  /**
   * When a transaction that is in no block is replaced automatically: the milliseconds after which it is replaced, and
   * the greatest fee of the replacement in wei per unit of gas.
   */
  readonly replacement: { readonly afterMs: number; readonly maxFee: bigint };
}

/**
 * The fields of a payment's transaction that determine its receiver and amount: the receiver or the token
 * contract, the value in wei, and the call data.
 */
interface Payment {
  readonly to: string;
  readonly value: bigint;
  readonly data: string;
}

/** A signed transaction, with the fields that are decoded from it. */
type Variant = StoredVariant &
  Pick<SignedVariant, 'maxFee' | 'tip' | 'unit'> & {
    readonly nonce: number;
    /** Address of the account that pays: the hot wallet or a deposit address. */
    readonly from: string;
    readonly value: bigint;
    readonly gasLimit: bigint;
  };

/**
 * Gas limit, and maximum fee and tip in wei per unit of gas, of a transaction, in the fields of the signer's request.
 */
type Price = Pick<SigningRequest, 'gasLimit' | 'maxFeePerGas' | 'maxPriorityFeePerGas'>;

/** Factor by which the base fee may rise before a payment's maximum fee is too low. */
const BASE_FEE_TIMES = 3n;
/**
 * Factor by which the base fee may rise before a sweep's maximum fee is too low; it is smaller than for payments,
 * because a sweep is not urgent.
 */
const SWEEP_BASE_FEE_TIMES = 2n;
/**
 * Usual gas of a payment: of the chain's own coin to an account, and of a token to an address that has not held it. A
 * chain whose gas includes the cost of another chain estimates more.
 */
const USUAL_GAS = { coin: 21_000n, token: 65_000n };
const PERCENT = 100n;
const GAS_MARGIN = 120n;
/** Name of the unit of fees, shown to operators. */
const GWEI = 'Gwei';
const GWEI_DIGITS = 9;
/** Maximum number of characters of a contract's error text that operators see. */
const WORDS_MOST = 200;

/**
 * Sends the payments of an EVM chain. The signer signs a payment, identified by its origin, always with the same nonce,
 * and every signed transaction is stored before it is broadcast. If the process stops between signing and sending, the
 * identical transaction is sent later. A payment that waits too long is replaced by one with the same content and
 * higher fees, or, if it is voided, by a transfer of nothing. All transactions of a payment have the same nonce, so the
 * chain executes at most one of them.
 */
export class EvmSender {
  private readonly parts: Parts;
  private lastTrouble: string | undefined;
  /**
   * The waiting payment that operators have to look at, because the exchange cannot replace it by one with a higher fee
   * automatically, or because another transaction used its nonce; with the reason. Undefined if there is none.
   */
  private bounded: { readonly origin: string; readonly problem: string } | undefined;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Why payments are delayed, for operators; undefined if no payment is delayed. */
  get trouble(): string | undefined {
    const { bounded } = this;
    const waiting = bounded === undefined ? undefined : `${bounded.origin} ${bounded.problem}`;
    const troubles = [this.lastTrouble, waiting].filter((trouble) => trouble !== undefined);
    return troubles.length === 0 ? undefined : troubles.join('; ');
  }

  /**
   * Returns the reason why operators must act on this waiting payment, as specified at `Channel.waitReason`.
   * It is stored for one payment at a time (`bounded`); undefined for all others.
   */
  waitReason(origin: string): string | undefined {
    return this.bounded?.origin === origin ? `it ${this.bounded.problem}` : undefined;
  }

  async send(sending: Sending): Promise<Sent> {
    const { database, clock } = this.parts;
    const { origin } = sending;
    try {
      await requireNotVoided(database.store, origin);
      const stored = await findSending(database.store, origin);
      if (stored === undefined) await insertSending(database.store, sending, clock.now());
      else requireSame(stored, sending);
      const newest = (await variantsOf(database.store, origin)).at(-1) ?? (await this.signNew(sending));
      await this.broadcast(origin, newest.raw);
      if (sending.sweep === undefined) this.lastTrouble = undefined;
      return { txid: newest.txid, block: undefined };
    } catch (cause) {
      // The error of a sweep is not stored as the reason for delayed payments, because a waiting sweep does not delay
      // payments.
      if (sending.sweep === undefined) this.lastTrouble = errorMessage(cause);
      throw cause;
    }
  }

  /**
   * Returns the status of a payment. While none of its transactions is in a block, its newest transaction is broadcast
   * again, or is replaced if it has waited for too long. A sweep has failed if another confirmed transaction used its
   * nonce.
   */
  async status(origin: string): Promise<SendingStatus> {
    const variants = await this.variants(origin);
    const [first] = variants;
    if (first === undefined) return { state: 'unknown' };
    const mined = await this.minedAmong(variants);
    if (mined !== undefined) {
      if (this.bounded?.origin === origin) this.bounded = undefined;
      return this.outcomeOf(mined);
    }
    if (await this.isSuperseded(variants)) return { state: 'failed', txid: first.txid, block: 0 };
    const newest = (await this.replaceStuck(origin, variants.at(-1)!)) ?? variants.at(-1)!;
    await this.broadcast(origin, newest.raw);
    return { state: 'waiting', txid: newest.txid };
  }

  /**
   * True if a confirmed transaction that does not belong to the sweep used the sweep's nonce, for example because an
   * operator moved the coins of the deposit address. The sweep then ends automatically. For a payment of the hot wallet
   * the result is false; operators decide what happens if its nonce was used (see `Channel.void`).
   */
  private async isSuperseded(variants: readonly Variant[]): Promise<boolean> {
    const { node, finalBlock } = this.parts;
    const { from, nonce } = variants[0]!;
    if (this.isWallet(from) || (await node.nonceAt(from, finalBlock())) <= nonce) return false;
    return (await this.minedAmong(variants)) === undefined;
  }

  private isWallet(address: string): boolean {
    return address.toLowerCase() === this.parts.wallet.toLowerCase();
  }

  /** Returns the address of the account that pays: the hot wallet, or for a sweep the deposit address. */
  private async accountOf(fromIndex: number | undefined): Promise<string> {
    return fromIndex === undefined ? this.parts.wallet : this.parts.depositAddress(fromIndex);
  }

  /**
   * Takes the next step to void a payment, as specified at `Channel.void`: stores that it is voided, and has the signer
   * sign a transfer of nothing with the payment's nonce, which is broadcast.
   */
  async void(sending: Sending, usedBy: string | undefined): Promise<VoidStatus> {
    const { database, clock } = this.parts;
    const { origin } = sending;
    await storeVoid(database.store, origin, clock.now());
    const status = await this.status(origin);
    if (status.state !== 'unknown' && status.state !== 'waiting') return status;
    const variants = await this.variants(origin);
    const newest = variants.at(-1);
    if (newest !== undefined && usedBy !== undefined && (await this.isUsed(variants, usedBy)))
      return { state: 'voided', txid: usedBy, block: 0 };
    if (newest?.isVoid === true) return status;
    const suggested = await this.suggestedFees();
    const fees = newest === undefined ? suggested : raisedFees(newest, suggested);
    // The signer may have signed a payment that this database does not contain, for example after a restore, so the
    // exchange requests a voiding transaction from the signer.
    if (newest === undefined) await insertSending(database.store, sending, clock.now());
    const voiding = (await this.signVariant('void', origin, fees)).at(-1);
    if (voiding === undefined) {
      await markSigning(database.store, origin, undefined);
      return { state: 'unsigned' };
    }
    await this.broadcast(origin, voiding.raw);
    return { state: 'waiting', txid: voiding.txid };
  }

  /**
   * True if the transaction `txid` is final, was not signed for the payment, and used the payment's nonce. The chain
   * then executes none of the payment's transactions.
   */
  private async isUsed(variants: readonly Variant[], txid: string): Promise<boolean> {
    const { node, isFinal } = this.parts;
    if (!/^0x[0-9a-f]{64}$/i.test(txid)) return false;
    if (variants.some((variant) => variant.txid === txid.toLowerCase())) return false;
    const [transaction, receipt] = [await node.transaction(txid), await node.receipt(txid)];
    if (transaction === undefined || receipt === undefined) return false;
    const isOurs =
      transaction.from.toLowerCase() === variants[0]!.from.toLowerCase() &&
      transaction.nonce === variants[0]!.nonce;
    return isOurs && isFinal(receipt.block) && (await node.hashAt(receipt.block)) === receipt.blockHash;
  }

  unanswered(limit: number): Promise<string[]> {
    const { database, terms } = this.parts;
    return unansweredOrigins(database.store, terms.network, limit);
  }

  /**
   * Obtains the transactions of a payment from the signer, whose answer was lost, and broadcasts the newest
   * one, as specified at `Channel.recover`; undefined if the signer has signed none.
   */
  async recover(origin: string): Promise<Sent | undefined> {
    const { database, chainId } = this.parts;
    const found = await this.askVariants({ kind: 'find', origin, chainId });
    const newest = found.at(-1);
    if (newest === undefined) {
      await markSigning(database.store, origin, undefined);
      return undefined;
    }
    await this.broadcast(origin, newest.raw);
    return { txid: newest.txid, block: undefined };
  }

  /** Replaces a payment's transaction by one with a higher fee, as specified at `Channel.raiseFee`. */
  async raiseFee(origin: string, maxFee: bigint): Promise<Variant> {
    const { newest, fees } = await this.requireRaisable(origin, maxFee);
    const kind = newest.isVoid ? 'void' : 'replace';
    const variant = (await this.signVariant(kind, origin, { ...fees, maxFee })).at(-1)!;
    if (this.bounded?.origin === origin) this.bounded = undefined;
    await this.broadcast(origin, variant.raw);
    return variant;
  }

  /**
   * Returns the fees and costs of the transaction that `raiseFee` would sign, as specified at
   * `Channel.plannedRaise`.
   */
  async plannedRaise(origin: string, maxFee: bigint): Promise<FeeRaise> {
    const { replacement, feeCoin } = this.parts;
    const { newest, least, suggested } = await this.requireRaisable(origin, maxFee);
    const costAt = (fee: bigint) => Decimal.ofScaled(newest.gasLimit * fee, COIN_DIGITS);
    return {
      unit: GWEI,
      present: gweiOf(newest.maxFee),
      least: gweiOf(least),
      automatic: gweiOf(replacement.maxFee),
      suggested: gweiOf(suggested.maxFee),
      coin: feeCoin,
      presentCost: costAt(newest.maxFee),
      raisedCost: costAt(maxFee),
      payments: 1,
    };
  }

  /**
   * Returns the newest transaction of a payment and the fees of its replacement; refuses a payment whose transaction
   * cannot be replaced by one with `maxFee`.
   */
  private async requireRaisable(origin: string, maxFee: bigint) {
    const newest = (await this.variants(origin)).at(-1);
    if (newest === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    const { node } = this.parts;
    if ((await node.nonce(newest.from)) > newest.nonce)
      throw new Refused(refusal('closed', 'l.withdraw_not_pending', { limit: 'waiting', value: 'mined' }));
    const suggested = await this.suggestedFees();
    const fees = boundedFees(newest, suggested, maxFee);
    const least = raisedFees(newest, { maxFee: 0n, tip: 0n }).maxFee;
    if (fees === undefined)
      throw new Refused(
        refusal('belowMinimum', 'l.field_min', {
          field: 'gwei',
          limit: gweiText(least),
          value: gweiText(maxFee),
          unit: GWEI,
        }),
      );
    return { newest, fees, least, suggested };
  }

  signedFor(origin: string): Promise<readonly SignedVariant[]> {
    return this.variants(origin);
  }

  /**
   * Signs a payment for the first time, or obtains from the signer a transaction that was signed but not
   * stored. Throws if the account cannot pay, if the chain would revert the transfer, if the signer refuses,
   * or if the signer's transaction differs from the requested payment.
   */
  private async signNew(sending: Sending): Promise<{ raw: string; txid: string }> {
    const { database, clock, terms, signer, chainId, node, height } = this.parts;
    const payment = this.paymentOf(sending);
    const { origin, sweep } = sending;
    const fromIndex = sweep?.kind === 'sweep' ? sweep.index : undefined;
    const from = await this.accountOf(fromIndex);
    const price =
      sweep?.kind === 'sweep'
        ? await this.sweepPrice(from, sweep, payment)
        : await this.affordable(sending, payment);
    const minNonce = Math.max(
      await node.nonce(from),
      await nextNonce(database.store, terms.network, fromIndex),
    );
    const request =
      sweep === undefined
        ? signingRequestOf(sending, { chainId, nonce: minNonce, ...price })
        : await this.depositRequestOf(sending, sweep, { chainId, nonce: minNonce, ...price });
    await markSigning(database.store, origin, clock.now());
    const answer = await signer.sign(request);
    if ('refused' in answer) {
      await markSigning(database.store, origin, undefined);
      throw new Error(`the signer refused ${origin}: ${answer.refused}`);
    }
    const transaction = await decoded(answer.raw);
    this.requirePays(transaction, payment, from);
    const signed = { raw: answer.raw, nonce: answer.nonce, txid: transaction.hash! };
    await storeSigned(database.store, origin, signed, { height: height(), at: clock.now() });
    // A nonce below `minNonce` shows that the signer had signed the payment before this call and returned the
    // first of its transactions. It may have signed the payment again with higher fees since, so all
    // transactions of the payment are requested, and the newest one is returned.
    if (answer.nonce >= minNonce) return signed;
    return (await this.askVariants({ kind: 'find', origin, chainId })).at(-1) ?? signed;
  }

  /** Returns the stored signed transactions of a payment, oldest first; empty if none is signed. */
  private async variants(origin: string): Promise<Variant[]> {
    return Promise.all((await variantsOf(this.parts.database.store, origin)).map(withFees));
  }

  /**
   * Requests a further transaction of a payment from the signer, with higher fees or to void the payment. Stores and
   * returns all transactions of the payment.
   */
  private signVariant(
    kind: 'replace' | 'void',
    origin: string,
    { maxFee, tip }: EvmFees,
  ): Promise<Variant[]> {
    const { chainId } = this.parts;
    return this.askVariants({
      kind,
      origin,
      chainId,
      maxFeePerGas: maxFee.toString(),
      maxPriorityFeePerGas: tip.toString(),
    });
  }

  /**
   * Sends the request to the signer, and stores all transactions that the signer returns for the payment. Returns them,
   * oldest first. Throws if the signer refuses, or if a transaction is not one of the payment.
   */
  private async askVariants(request: VariantRequest): Promise<Variant[]> {
    const { database, signer, clock, height } = this.parts;
    const { origin } = request;
    const answer = await signer.variants(request);
    if ('refused' in answer) throw new Error(`the signer refused ${origin}: ${answer.refused}`);
    const account = await this.accountOf((await findSending(database.store, origin))?.fromIndex);
    const [first, ...further] = await Promise.all(
      answer.signed.map(async ({ raw, isVoid }, number) => {
        const transaction = await decoded(raw);
        return { number, raw, isVoid, transaction, txid: transaction.hash!, nonce: transaction.nonce };
      }),
    );
    if (first === undefined) return [];
    for (const variant of [first, ...further]) this.requireVariant(first.transaction, variant, account);
    const now = { height: height(), at: clock.now() };
    await storeSigned(database.store, origin, first, now);
    await storeVariants(database.store, origin, further, now);
    return this.variants(origin);
  }

  /**
   * Returns the transaction of a payment that is in a block, with its receipt; undefined if none of the
   * transactions is in a block.
   */
  private async minedAmong(
    variants: readonly Variant[],
  ): Promise<{ readonly variant: Variant; readonly receipt: EvmReceipt } | undefined> {
    const { node } = this.parts;
    for (const variant of variants.toReversed()) {
      const receipt = await node.receipt(variant.txid);
      if (receipt !== undefined) return { variant, receipt };
    }
    return undefined;
  }

  private async outcomeOf({
    variant,
    receipt,
  }: {
    readonly variant: Variant;
    readonly receipt: EvmReceipt;
  }): Promise<SendingStatus> {
    const { node, isFinal } = this.parts;
    const { txid, isVoid } = variant;
    const { block, blockHash, isSuccess } = receipt;
    if (isSuccess && !isVoid) return { state: 'mined', txid, block };
    // The nonce was used by a transfer of nothing, or by the payment itself, which the chain reverted. Once the block
    // is final, the payment can no longer happen.
    const isOver = isFinal(block) && (await node.hashAt(block)) === blockHash;
    return isOver ? { state: isVoid ? 'voided' : 'failed', txid, block } : { state: 'waiting', txid };
  }

  /**
   * Replaces a transaction that has waited for too long by one with a higher fee, if its nonce is the next one of the
   * paying account: the account's later transactions wait for it. Returns the new transaction, or undefined if there is
   * none. If a payment of the hot wallet cannot be replaced, the reason is stored in `bounded`.
   */
  private async replaceStuck(origin: string, newest: Variant): Promise<Variant | undefined> {
    const { clock, node, height, replacement, log } = this.parts;
    const { at = 0, height: signedHeight = 0, from } = newest;
    const isWaiting = clock.now() - at >= replacement.afterMs && height() > signedHeight;
    if (!isWaiting) return undefined;
    const next = await node.nonce(from);
    if (!this.isWallet(from)) return next === newest.nonce ? this.raiseSweep(origin, newest) : undefined;
    if (next > newest.nonce)
      this.bounded = {
        origin,
        problem: `cannot be mined: its nonce ${newest.nonce} was used by a transaction that was not signed for it`,
      };
    if (next !== newest.nonce) return undefined;
    const fees = boundedFees(newest, await this.suggestedFees(), replacement.maxFee);
    if (fees === undefined) {
      const problem = `waits with a fee of ${gweiText(newest.maxFee)} Gwei, and automatic replacements end at ${gweiText(replacement.maxFee)} Gwei`;
      if (this.bounded?.origin !== origin || this.bounded.problem !== problem)
        log.warn('chains.fee_bound_reached', { origin, text: `${origin} ${problem}` });
      this.bounded = { origin, problem };
      return undefined;
    }
    try {
      const variant = (await this.signVariant(newest.isVoid ? 'void' : 'replace', origin, fees)).at(-1);
      log.info('chains.fee_raised', { origin, txid: variant?.txid, gwei: gweiText(fees.maxFee) });
      return variant;
    } catch (cause) {
      // The fee was not raised. The earlier transaction is still valid, so `status` broadcasts it again.
      this.bounded = { origin, problem: `waits and is not replaced: ${errorMessage(cause)}` };
      log.warn('chains.fee_not_raised', { origin, cause });
      return undefined;
    }
  }

  /**
   * Replaces the waiting transaction of a sweep by one with higher fees, as far as the deposit address can pay them and
   * automatic replacements may go. Returns undefined if it was not replaced.
   */
  private async raiseSweep(origin: string, newest: Variant): Promise<Variant | undefined> {
    const { node, replacement, log } = this.parts;
    const payable = ((await node.balance(newest.from)) - newest.value) / newest.gasLimit;
    const bound = payable < replacement.maxFee ? payable : replacement.maxFee;
    const fees = boundedFees(newest, await this.suggestedFees(), bound);
    if (fees === undefined) return undefined;
    try {
      const variant = (await this.signVariant('replace', origin, fees)).at(-1);
      log.info('chains.fee_raised', { origin, txid: variant?.txid, gwei: gweiText(fees.maxFee) });
      return variant;
    } catch (cause) {
      // The fee was not raised. The earlier transaction is still valid, so `status` broadcasts it again.
      log.warn('chains.fee_not_raised', { origin, cause });
      return undefined;
    }
  }

  /**
   * Throws unless a transaction from the signer differs from the payment's first transaction only in its fees, or, for
   * a void, is a transfer of nothing to the payer's own account.
   */
  private requireVariant(
    first: Transaction,
    { transaction, isVoid }: { readonly transaction: Transaction; readonly isVoid: boolean },
    account: string,
  ): void {
    const { chainId } = this.parts;
    const expected = isVoid ? { to: account, value: 0n, data: '0x' } : first;
    const isRight =
      transaction.chainId === BigInt(chainId) &&
      transaction.from?.toLowerCase() === account.toLowerCase() &&
      transaction.nonce === first.nonce &&
      transaction.to?.toLowerCase() === expected.to?.toLowerCase() &&
      transaction.value === expected.value &&
      transaction.data === expected.data;
    if (!isRight) throw new Error('the signer gave a transaction that replaces another one');
  }

  /** Throws unless the signed transaction is the payment that was requested. */
  private requirePays(signed: Transaction, { to, value, data }: Payment, from: string): void {
    const { chainId } = this.parts;
    const isRight =
      signed.chainId === BigInt(chainId) &&
      signed.from?.toLowerCase() === from.toLowerCase() &&
      signed.to?.toLowerCase() === to.toLowerCase() &&
      signed.value === value &&
      signed.data === data;
    if (!isRight) throw new Error('the signer gave another transaction than was asked for');
  }

  private paymentOf({ asset, address, amount, sweep }: Sending): Payment {
    const token = this.parts.terms.tokens.get(asset);
    if (token === undefined) {
      const data = sweep?.kind === 'gas' ? GAS_TAG : '0x';
      return { to: address, value: amount.toScaled(COIN_DIGITS), data };
    }
    return { to: token.contract, value: 0n, data: transferData(address, amount.toScaled(token.digits)) };
  }

  /**
   * Returns the gas limit and the fees of a payment from the hot wallet. Throws before a nonce is used:
   * `PaymentRefused` if the chain would revert the transfer, another error if the wallet cannot pay.
   */
  private async affordable({ asset, amount }: Sending, { to, value, data }: Payment): Promise<Price> {
    const { node, wallet, terms, feeCoin } = this.parts;
    const { maxFee: maxFeePerGas, tip } = await this.suggestedFees();
    const token = terms.tokens.get(asset);
    if (token !== undefined) {
      const tokenBalance = await node.read(token.contract, balanceCall(wallet));
      if (tokenBalance < amount.toScaled(token.digits))
        throw new Error(
          `the wallet has ${Decimal.ofScaled(tokenBalance, token.digits).toString()} ${asset}, not ${amount.toString()}`,
        );
    }
    const estimated = await node
      .gas({ from: wallet, to, value: `0x${value.toString(16)}`, data })
      .catch((cause: unknown) => {
        throw paymentRefusal(cause) ?? cause;
      });
    const gasLimit = (estimated * GAS_MARGIN) / PERCENT;
    const coinBalance = await node.balance(wallet);
    if (coinBalance < value + gasLimit * maxFeePerGas)
      throw new Error(
        `the wallet has ${Decimal.ofScaled(coinBalance, COIN_DIGITS).toString()} ${feeCoin}, which does not pay ${amount.toString()} ${asset} and the gas for it`,
      );
    return {
      gasLimit: gasLimit.toString(),
      maxFeePerGas: maxFeePerGas.toString(),
      maxPriorityFeePerGas: tip.toString(),
    };
  }

  /**
   * Returns the gas limit and the fees of a sweep, within the gas that was reserved for it. Throws before a
   * nonce is used if the fees or the units of gas exceed the reserved ones, if the transfer would fail, or if
   * the deposit address cannot pay.
   */
  private async sweepPrice(
    from: string,
    { gasLimit, mostFee }: SweepTerms,
    { to, value, data }: Payment,
  ): Promise<Price> {
    const { node } = this.parts;
    const { base, tip } = await node.fees();
    if (base + tip > mostFee)
      throw new Error(
        `the fee of ${gweiText(base + tip)} Gwei is more than ${gweiText(mostFee)}, which its gas lasts for`,
      );
    const needed = await node.gas({ from, to, value: `0x${value.toString(16)}`, data });
    if (needed > gasLimit) throw new Error(`it needs ${needed} units of gas, and ${gasLimit} are reserved`);
    const suggested = base * SWEEP_BASE_FEE_TIMES + tip;
    const maxFee = suggested < mostFee ? suggested : mostFee;
    if ((await node.balance(from)) < value + gasLimit * maxFee)
      throw new Error('the deposit address cannot pay the gas');
    return {
      gasLimit: gasLimit.toString(),
      maxFeePerGas: maxFee.toString(),
      maxPriorityFeePerGas: tip.toString(),
    };
  }

  /** Returns the signer's request for a transfer between a deposit address and the hot wallet. */
  private async depositRequestOf(
    { origin, network, asset, amount }: Sending,
    { kind, index }: SweepTerms,
    price: Price & Pick<SigningRequest, 'chainId' | 'nonce'>,
  ): Promise<DepositRequest> {
    const address = await this.parts.depositAddress(index);
    return {
      kind,
      origin,
      network,
      asset,
      index,
      address,
      amount: amount.toString(),
      ...price,
    };
  }

  /**
   * What a usual payment of each coin costs: its usual gas at the current base fee and tip, in units of the
   * chain's own coin, with decimals.
   */
  async paymentCosts(assets: readonly string[]): Promise<ReadonlyMap<string, PaymentCost>> {
    const { node, feeCoin } = this.parts;
    const { base, tip } = await node.fees();
    const costs = new Map<string, PaymentCost>();
    for (const asset of assets) {
      const gas = await this.usualGas(asset);
      costs.set(asset, { coin: feeCoin, amount: Decimal.ofScaled(gas * (base + tip), COIN_DIGITS) });
    }
    return costs;
  }

  /**
   * Returns the units of gas of a usual payment: the node's estimate for a transfer of amount zero from the
   * wallet to itself, which does not depend on the wallet's balance, but at least `USUAL_GAS`.
   */
  private async usualGas(asset: string): Promise<bigint> {
    const { node, wallet, terms } = this.parts;
    const token = terms.tokens.get(asset);
    const usual = token === undefined ? USUAL_GAS.coin : USUAL_GAS.token;
    const estimated = await node
      .gas({
        from: wallet,
        to: token?.contract ?? wallet,
        value: '0x0',
        data: token === undefined ? '0x' : transferData(wallet, 0n),
      })
      .catch((cause: unknown) => {
        // Some tokens refuse the estimated transfer of amount zero; the result is then the constant
        // `USUAL_GAS`.
        if (paymentRefusal(cause) !== undefined) return usual;
        throw cause;
      });
    return estimated > usual ? estimated : usual;
  }

  private async suggestedFees(): Promise<EvmFees> {
    const { base, tip } = await this.parts.node.fees();
    return { maxFee: base * BASE_FEE_TIMES + tip, tip };
  }

  private async broadcast(origin: string, raw: string): Promise<void> {
    const { node, database, clock, log } = this.parts;
    try {
      await node.broadcast(raw);
      await markSent(database.store, origin, clock.now());
    } catch (cause) {
      // If the node refuses the transaction, it usually has it already, so this is not logged. The transaction is
      // stored, and it is broadcast again until a block contains it.
      if (!(cause instanceof NodeRefused)) log.warn('chains.not_handed_over', { cause });
    }
  }
}

/**
 * Returns the signer's request for a payment from the hot wallet. Throws for a payment that has neither the
 * digest of its owner's confirmation nor the digest of an approved transfer to the cold wallet.
 */
function signingRequestOf(
  sending: Sending,
  price: Price & Pick<SigningRequest, 'chainId' | 'nonce'>,
): SigningRequest | ColdRequest {
  const { origin, asset, address, amount, network, memo, confirmed, coldDigest } = sending;
  const payment = {
    origin,
    network,
    asset,
    address,
    amount: amount.toString(),
    approvedBy: approverOf(sending),
  };
  if (confirmed !== undefined)
    return {
      kind: 'pay',
      ...payment,
      memo,
      owner: confirmed.owner,
      digest: confirmed.digest,
      ...price,
    };
  if (coldDigest === undefined) throw new Error(`${origin} has no digest of its owner's confirmation`);
  return { kind: 'cold', ...payment, digest: coldDigest, ...price };
}

async function decoded(raw: string): Promise<Transaction> {
  const { Transaction: transactions } = await import('ethers');
  return transactions.from(raw);
}

async function withFees(stored: StoredVariant): Promise<Variant> {
  const transaction = await decoded(stored.raw);
  const { nonce, value, gasLimit } = transaction;
  const { maxFee, tip } = feesOf(transaction);
  return {
    ...stored,
    nonce,
    maxFee,
    tip,
    unit: GWEI,
    from: transaction.from!,
    value,
    gasLimit,
  };
}

function gweiOf(wei: bigint): Decimal {
  return Decimal.ofScaled(wei, GWEI_DIGITS);
}

function gweiText(wei: bigint): string {
  return gweiOf(wei).toString();
}

function requireSame(stored: StoredSending, { network, asset, address, amount, sweep }: Sending): void {
  const fromIndex = sweep?.kind === 'sweep' ? sweep.index : undefined;
  const isSame =
    stored.fromIndex === fromIndex &&
    stored.network === network &&
    stored.asset === asset &&
    stored.address === address &&
    stored.amount.equals(amount);
  if (!isSame) throw new Error(`${stored.origin} is to send something else than before`);
}

/**
 * Converts the node's error to a `PaymentRefused` with a text for operators, if the receiver or the contract of the
 * token reverts the payment; undefined for other errors.
 */
function paymentRefusal(cause: unknown): PaymentRefused | undefined {
  if (!(cause instanceof NodeRefused) || !/revert/i.test(cause.answer)) return undefined;
  const words = /revert(?:ed)?:\s*(.+)$/is.exec(cause.answer)?.[1] ?? '';
  const says = words.trim() === '' ? '' : ` and says “${words.trim().slice(0, WORDS_MOST)}”`;
  return new PaymentRefused(`the receiver or the contract of the coin refuses the payment${says}`, { cause });
}
