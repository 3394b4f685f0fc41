import { Decimal } from '@exchange/core/decimal.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import { MINUTE_MS } from '@exchange/core/time.ts';
import { TRON } from '@exchange/core/tron-network.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { errorMessage } from '../../platform/error-message.ts';
import type { Log } from '../../platform/log.ts';
import type { SignerClient } from '../../platform/signer/client.ts';
import {
  TRON_LINE_MAX,
  tronAnswer,
  type TronAnswer,
  type TronPaymentRequest,
  type TronRequest,
} from '../../platform/signer/tron-protocol.ts';
import { readTronTransfer, type TronTransfer } from '../../platform/tron/transactions.ts';
import { seenBlocks } from './block-repository.ts';
import { ChannelUnavailable, PaymentRefused } from './channel.ts';
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
import type { EvmToken } from './evm-domain.ts';
import {
  findSending,
  insertSending,
  markFeeBooked,
  markSent,
  markSigning,
  nextNonce,
  unansweredOrigins,
} from './evm-repository.ts';
import { isVoided, requireNotVoided, storeVoid } from './repository.ts';
import type { PaymentSender } from './signed-channel.ts';
import {
  burntFor,
  ENDED_AFTER_MS,
  feeLimitOf,
  isReferenceTo,
  tronLifetimeOf,
  usualCost,
  TRON_RESULT,
  TRX,
  TRX_DIGITS,
} from './tron-domain.ts';
import { TronCallRefused, type TronNode } from './tron-node.ts';
import {
  openTron,
  signedTron,
  storeSignedTron,
  tronTime,
  type GivenTron,
  type OpenTron,
  type SignedTron,
} from './tron-payment-repository.ts';
import { Troubles } from './troubles.ts';

interface Parts {
  /** Listed tokens by coin; the addresses of their contracts are in base 58. */
  readonly tokens: ReadonlyMap<string, EvmToken>;
  /** Address of the hot wallet, which pays; only the signer has its private key. */
  readonly wallet: string;
  /** Returns the deposit address with a derivation index, derived from the extended public key. */
  readonly depositAddress: (index: number) => Promise<string>;
  readonly signer: SignerClient;
  readonly node: TronNode;
  /**
   * A second node, which must confirm that no block contains a transaction before its payment is signed again;
   * undefined without a second node.
   */
  readonly second: TronNode | undefined;
  readonly clock: Clock;
  readonly database: Pick<Database, 'store' | 'transaction'>;
  readonly log: Log;
  /** Highest fee limit that a transaction may have, in sun (10^-6 TRX); a transfer that needs more is not signed. */
  readonly feeMost: bigint;
  /** Returns the number of the newest block that was read. */
  readonly height: () => number;
}

/** The fields that the transaction from the signer must have so that it makes the requested payment. */
type Expected = Pick<TronTransfer, 'owner' | 'contract' | 'address' | 'units'>;
/**
 * The fields of the request to the signer that determine how long a transaction is valid and what it may
 * cost: reference block, expiration and fee limit.
 */
type Validity = Pick<TronPaymentRequest, 'refBlock' | 'expiration' | 'feeLimit'>;

const RESUBMIT_MS = 15_000;
/**
 * Milliseconds. If the newest block that was read is older than this, no payment is signed: a transaction expires
 * minutes after the time of that block, so it would expire at once.
 */
const BLOCK_AGE_MOST = 4 * MINUTE_MS;
/** Factor from sun to the unit of the fees in `SignedVariant`, 10^-9 sun. */
const VARIANT_FEE_SCALE = 1_000_000_000n;
/** The node's result codes for a transaction that it accepts now or has accepted earlier. */
const TAKEN: ReadonlySet<string> = new Set(['SUCCESS', 'DUP_TRANSACTION_ERROR']);
/**
 * Number of payments. If the TRX in the hot wallet do not suffice for the signed payments, the present one
 * and this many more with its fee limit, a warning is logged.
 */
const PAYMENTS_IN_STORE = 20n;

/**
 * Sends payments on TRON. Transactions there have no sequence numbers; each refers to a recent block and has an
 * expiration. The signer signs a payment again only when all its earlier transactions have expired by the signer's own
 * clock. The exchange requests another signature only after it has read every solidified block that could contain the
 * earlier transactions and a block that is later than their expiration by a margin, and after the nodes have confirmed
 * that no block contains them. A transaction is stored before it is broadcast.
 */
export class TronSender implements PaymentSender {
  private readonly parts: Parts;
  private lastTrouble: string | undefined;
  /** Why payments wait for operators, a node or the signer, by the payment's origin (idempotency key). */
  private readonly waiting = new Troubles();
  /**
   * The transaction of each payment that was broadcast last, with the time of its broadcast, by the payment's origin
   * (idempotency key).
   */
  private readonly submitted = new Map<string, { readonly txid: string; readonly at: number }>();
  private isCoinLow = false;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  get trouble(): string | undefined {
    return this.lastTrouble ?? this.waiting.first;
  }

  /** Sends a payment, as specified at `Channel.send`. */
  async send(sending: Sending): Promise<Sent> {
    const { database, clock } = this.parts;
    const { origin, sweep } = sending;
    try {
      await requireNotVoided(database.store, origin);
      const expected = await this.expectedOf(sending);
      const stored = await findSending(database.store, origin);
      if (stored === undefined) await insertSending(database.store, sending, clock.now());
      else if (stored.address !== sending.address || !stored.amount.equals(sending.amount))
        throw new Error(`${origin} is to send something else than before`);
      const signed = await signedTron(database.store, origin);
      const newest = signed.at(-1) ?? (await this.signNew(sending, expected));
      await this.submit(origin, newest);
      if (sweep === undefined) this.lastTrouble = undefined;
      return { txid: newest.txid, block: undefined };
    } catch (cause) {
      // The error of a sweep is not stored as the reason for delayed payments, because a waiting sweep does not delay
      // payments.
      if (sweep === undefined) this.lastTrouble = errorMessage(cause);
      throw cause;
    }
  }

  /**
   * Returns the status of a payment, as specified at `Channel.status`. A transaction that has not expired is
   * broadcast again, unless the payment is voided. If all transactions of a payment have expired without
   * being in a block, the payment is signed again, or, if it is voided, has ended.
   */
  async status(origin: string): Promise<SendingStatus> {
    const { database, height } = this.parts;
    const signed = await signedTron(database.store, origin);
    const newest = signed.at(-1);
    if (newest === undefined) return { state: 'unknown' };
    const outcome = this.outcomeOf(origin, signed);
    if (outcome !== undefined) return outcome;
    const isForbidden = await isVoided(database.store, origin);
    if (!signed.every(({ hasEnded }) => hasEnded)) {
      if (!isForbidden) await this.submit(origin, newest);
      return { state: 'waiting', txid: newest.txid };
    }
    const isOver = (await this.isComplete(origin, signed)) && (await this.isGone(origin, signed));
    if (!isOver) return { state: 'waiting', txid: newest.txid };
    if (isForbidden) {
      await markFeeBooked(database.store, origin);
      this.forget(origin);
      return { state: 'voided', txid: newest.txid, block: height() };
    }
    const renewed = await this.renew(origin, signed);
    if (renewed !== undefined) await this.submit(origin, renewed);
    return { state: 'waiting', txid: (renewed ?? newest).txid };
  }

  /**
   * Takes the next step to void a payment, as specified at `Channel.void`: stores that it is voided and requests the
   * signer to sign it no more. A signed transaction can be executed until it expires. The payment is therefore voided
   * once all blocks up to that time are read and none of them contains the transaction.
   */
  async void(sending: Sending): Promise<VoidStatus> {
    const { database, clock } = this.parts;
    const { origin } = sending;
    await storeVoid(database.store, origin, clock.now());
    // The signer may have signed a payment that this database does not contain, for example after a restore, so the
    // signer is requested to void it.
    await insertSending(database.store, sending, clock.now());
    const signed = await this.request({ kind: 'void', ...this.target(origin) }, undefined);
    if (signed.length > 0) return this.status(origin);
    await markSigning(database.store, origin, undefined);
    return { state: 'unsigned' };
  }

  unanswered(limit: number): Promise<readonly string[]> {
    return unansweredOrigins(this.parts.database.store, TRON, limit);
  }

  /**
   * Obtains the transactions of a payment from the signer, whose answer was lost, and broadcasts the newest one unless
   * the payment is voided, as specified at `Channel.recover`.
   */
  async recover(origin: string): Promise<Sent | undefined> {
    const { database } = this.parts;
    const newest = (await this.request({ kind: 'find', ...this.target(origin) }, undefined)).at(-1);
    if (newest === undefined) {
      await markSigning(database.store, origin, undefined);
      return undefined;
    }
    if (!(await isVoided(database.store, origin))) await this.submit(origin, newest);
    return { txid: newest.txid, block: undefined };
  }

  /**
   * Always refuses to replace a transaction by one with a higher fee (`Channel.raiseFee`), because TRON does not
   * replace transactions.
   */
  raiseFee(): Promise<SignedVariant> {
    return Promise.reject(notRaised());
  }

  /**
   * Always refuses to plan a replacement with a higher fee (`Channel.plannedRaise`), because TRON does not replace
   * transactions.
   */
  plannedRaise(): Promise<FeeRaise> {
    return Promise.reject(notRaised());
  }

  async signedFor(origin: string): Promise<readonly SignedVariant[]> {
    return (await signedTron(this.parts.database.store, origin)).map(({ txid, feeLimit, at }) => ({
      txid,
      isVoid: false,
      nonce: undefined,
      maxFee: feeLimit * VARIANT_FEE_SCALE,
      tip: 0n,
      unit: 'sun',
      at,
    }));
  }

  /**
   * Returns the status of a payment of which a block contains a transaction; undefined while no block that
   * was read contains any. A transaction that moved nothing leaves the payment `waiting` for operators, and a
   * failed one leaves it `waiting` while another transaction of the payment can still be executed.
   */
  private outcomeOf(origin: string, signed: readonly SignedTron[]): SendingStatus | undefined {
    const included = signed.filter(({ outcome }) => outcome !== undefined);
    const used = included.find(({ outcome }) => outcome!.result === TRON_RESULT.success) ?? included.at(-1);
    if (used === undefined) return undefined;
    const { txid, outcome } = used;
    const { result, block } = outcome!;
    if (result === TRON_RESULT.noTransfer) {
      this.waiting.store(origin, `${txid} of ${origin} succeeded without moving anything: look at the token`);
      return { state: 'waiting', txid };
    }
    // If one transaction of a payment failed but another one can still be executed, the payment has not failed yet.
    const canStillBePaid = signed.some((each) => each.outcome === undefined && !each.hasEnded);
    if (result !== TRON_RESULT.success && canStillBePaid) return { state: 'waiting', txid };
    this.forget(origin);
    return { state: result === TRON_RESULT.success ? 'mined' : 'failed', txid, block };
  }

  /**
   * True if the database contains all transactions that the signer has signed for the payment. A restored database may
   * lack some that the network has executed; they are stored now, and the result is false. It is also false if the
   * signer does not answer.
   */
  private async isComplete(origin: string, signed: readonly SignedTron[]): Promise<boolean> {
    try {
      const all = await this.request({ kind: 'find', ...this.target(origin) }, undefined);
      return all.length === signed.length;
    } catch (cause) {
      this.waiting.store(origin, `${origin} has ended, and its signer was not asked: ${errorMessage(cause)}`);
      return false;
    }
  }

  /**
   * True if all transactions of a payment have expired and no block contains any of them. If blocks were not read, or
   * if a node has one of the transactions nevertheless, the payment waits for operators, and the result is false. It is
   * also false while a node does not answer or lags behind.
   */
  private async isGone(origin: string, signed: readonly SignedTron[]): Promise<boolean> {
    const { node, second } = this.parts;
    const unread = signed.find(({ isCovered }) => !isCovered);
    if (unread !== undefined) {
      this.waiting.store(
        origin,
        `blocks that could contain ${unread.txid} of ${origin} were never read: look for it, and set an earlier TRON_START_BLOCK on a new database`,
      );
      return false;
    }
    try {
      for (const each of second === undefined ? [node] : [node, second]) {
        await each.head();
        const end = Math.max(...signed.map(({ expiration }) => expiration)) + ENDED_AFTER_MS;
        if ((each.headTime ?? 0) <= end) return false;
        for (const { txid } of signed) {
          const found = await each.transaction(txid);
          if (found === undefined) continue;
          this.waiting.store(
            origin,
            `${txid} of ${origin} is in block ${found.block} of a node, but was not in the block that was read: a node lies`,
          );
          return false;
        }
      }
      return true;
    } catch (cause) {
      // A node cannot be reached, so the payment does not count as gone; a later call queries the node again.
      if (!(cause instanceof ChannelUnavailable)) throw cause;
      this.waiting.store(origin, `${origin} has ended, and a node does not say so: ${cause.message}`);
      return false;
    }
  }

  /** Signs a payment again after its transactions have expired; undefined if it cannot be signed now. */
  private async renew(origin: string, signed: readonly SignedTron[]): Promise<SignedTron | undefined> {
    const { log, database } = this.parts;
    try {
      const stored = await findSending(database.store, origin);
      if (stored === undefined) throw new Error('it is not stored');
      const { owner, address, contract, units } = await readTronTransfer(signed[0]!.raw);
      const expected = { owner, address, contract, units };
      const feeLimit = await this.feeLimit(expected, undefined);
      // A deposit address has only the TRX that it received for the sweep. With too few of them the transfer
      // would fail and burn them, so the balance is checked before the sweep is signed again.
      if (stored.fromIndex !== undefined)
        await this.requireCoins({ expected, open: await this.openFor(owner), feeLimit, isOfDeposits: true });
      const validity = await this.validity(signed.length, feeLimit);
      const renewed = (
        await this.request(
          { kind: 'renew', known: signed.length, ...this.target(origin), ...validity },
          expected,
        )
      ).at(-1)!;
      log.info('chains.payment_renewed', { origin, txid: renewed.txid, ended: signed.at(-1)!.txid });
      this.waiting.delete(origin);
      return renewed;
    } catch (cause) {
      const text = `${origin} has ended and is not signed again: ${errorMessage(cause)}`;
      if (this.waiting.store(origin, text)) log.warn('chains.payment_not_renewed', { origin, cause });
      return undefined;
    }
  }

  /**
   * Signs a payment for the first time, or obtains from the signer a transaction that was signed but not
   * stored. Throws if the account cannot pay, if the receiver or the contract refuses the transfer, or if the
   * signer refuses.
   */
  private async signNew(sending: Sending, expected: Expected): Promise<SignedTron> {
    const { database, clock } = this.parts;
    const { origin } = sending;
    const open = await this.openFor(expected.owner);
    // The balance is checked before the transfer is simulated: the contract would refuse a transfer of more tokens than
    // the account has, and the exchange would wrongly report this as a refusal by the receiver.
    await this.requireTokens(sending, expected, open);
    const feeLimit = await this.feeLimit(expected, sending.sweep);
    await this.requireCoins({ expected, open, feeLimit, isOfDeposits: sending.sweep !== undefined });
    const serial = await nextNonce(database.store, TRON, undefined);
    const request = requestOf(sending, {
      ...this.target(origin),
      ...(await this.validity(0, feeLimit)),
      serial,
      address: sending.sweep?.kind === 'sweep' ? expected.owner : sending.address,
    });
    await markSigning(database.store, origin, clock.now());
    const newest = (await this.request(request, expected)).at(-1);
    if (newest === undefined) throw new Error(`the signer has nothing for ${origin}`);
    return newest;
  }

  /**
   * Determines the transfer on the network that makes a payment. Throws for a payment that no transfer can
   * make.
   */
  private async expectedOf({ origin, asset, memo, address, amount, sweep }: Sending): Promise<Expected> {
    const { tokens, wallet, depositAddress } = this.parts;
    const token = tokens.get(asset);
    const isCoin = token === undefined && asset === TRX && sweep?.kind === 'gas';
    if (token === undefined && !isCoin) throw new Error(`${asset} is not paid on ${TRON}`);
    if (memo !== undefined) throw new Error(`${origin} has a memo, which ${TRON} does not have`);
    const digits = token?.digits ?? TRX_DIGITS;
    if (!amount.isPositive() || !amount.fits(digits))
      throw new Error(`${origin} pays ${amount.toString()}, which is no amount of ${asset}`);
    const owner = sweep?.kind === 'sweep' ? await depositAddress(sweep.index) : wallet;
    return { owner, contract: token?.contract, address, units: amount.toScaled(digits) };
  }

  /**
   * Returns the fee limit of a transfer at present prices, in sun; 0 for a transfer of TRX. Throws if the
   * contract refuses the transfer, or if the limit would exceed the highest one of the settings or, for a
   * sweep, the fee that was planned for it.
   */
  private async feeLimit(
    { owner, contract, address, units }: Expected,
    sweep: SweepTerms | undefined,
  ): Promise<bigint> {
    const { node, feeMost } = this.parts;
    if (contract === undefined) return 0n;
    const prices = await node.prices();
    let energy: bigint;
    try {
      energy = await node.energy(owner, contract, { address, units });
    } catch (cause) {
      if (!(cause instanceof TronCallRefused)) throw cause;
      throw new PaymentRefused(
        `the receiver or the contract of the coin refuses the payment: ${cause.message}`,
        { cause },
      );
    }
    const limit = feeLimitOf(energy, prices);
    const bound = sweep === undefined ? feeMost : sweep.gasLimit * sweep.mostFee;
    if (limit > bound)
      throw new Error(`its energy may cost ${coins(limit)} TRX, and ${coins(bound)} are the most`);
    return limit;
  }

  /**
   * Returns the cost in TRX of the energy and bandwidth of a usual payment of each coin at current prices.
   * Staked TRX are ignored, although an account with enough staked TRX burns none.
   */
  async paymentCosts(assets: readonly string[]): Promise<ReadonlyMap<string, PaymentCost>> {
    const prices = await this.parts.node.prices();
    const costs = new Map<string, PaymentCost>();
    for (const asset of assets) {
      const cost = usualCost(await this.estimatedEnergy(asset), prices);
      costs.set(asset, { coin: TRX, amount: Decimal.ofScaled(cost, TRX_DIGITS) });
    }
    return costs;
  }

  /**
   * Returns the node's estimate of the energy of a token transfer of amount zero from the wallet to itself;
   * undefined for TRX, whose transfers need no energy; 0 for a token that refuses an amount of zero, so that
   * the usual energy applies.
   */
  private async estimatedEnergy(asset: string): Promise<bigint | undefined> {
    const { node, tokens, wallet } = this.parts;
    const token = tokens.get(asset);
    if (token === undefined) return undefined;
    try {
      return await node.energy(wallet, token.contract, { address: wallet, units: 0n });
    } catch (cause) {
      if (cause instanceof TronCallRefused) return 0n;
      throw cause;
    }
  }

  /**
   * Returns the number and the totals of the signed payments of the hot wallet that are in no block yet;
   * zeros for a deposit address, which makes only one payment at a time.
   */
  private async openFor(owner: string): Promise<OpenTron> {
    const { database, wallet } = this.parts;
    return owner === wallet ? openTron(database.store) : { count: 0, limits: 0n, amounts: new Map() };
  }

  /**
   * Throws if the paying account has fewer tokens than are needed for the payment and for the account's signed payments
   * that are in no block yet.
   */
  private async requireTokens(
    { asset, amount }: Sending,
    { owner, contract }: Expected,
    { amounts }: OpenTron,
  ): Promise<void> {
    const { node, tokens } = this.parts;
    if (contract === undefined) return;
    const held = Decimal.ofScaled(await node.tokenBalance(contract, owner), tokens.get(asset)!.digits);
    const open = amounts.get(asset) ?? Decimal.zero;
    if (held.minus(open).isLess(amount))
      throw new Error(
        `the account has ${held} ${asset}, of which ${open} are on their way: ${amount} cannot be paid`,
      );
  }

  /**
   * Throws if the paying account has less TRX than may be needed for the payment and for the account's signed
   * payments that are in no block yet. Except for transfers between a deposit address and the hot wallet,
   * logs a warning when TRX must be burnt and the balance would not pay for `PAYMENTS_IN_STORE` further
   * payments.
   */
  private async requireCoins({
    expected: { owner, contract, units },
    open,
    feeLimit,
    isOfDeposits,
  }: {
    readonly expected: Expected;
    readonly open: OpenTron;
    readonly feeLimit: bigint;
    /** True for a transfer between a deposit address and the hot wallet. */
    readonly isOfDeposits: boolean;
  }): Promise<void> {
    const { node, log } = this.parts;
    const [prices, resources, balance] = [
      await node.prices(),
      await node.resources(owner),
      await node.coinBalance(owner),
    ];
    const cost = burntFor({ limits: open.limits + feeLimit, count: open.count + 1 }, prices, resources);
    const sent = contract === undefined ? units + prices.activation : 0n;
    const onTheirWay = (open.amounts.get(TRX) ?? Decimal.zero).toScaled(TRX_DIGITS);
    if (balance < cost + sent + onTheirWay)
      throw new Error(
        `the account has ${coins(balance)} TRX, and the payment may need ${coins(cost + sent + onTheirWay)} for energy and bandwidth`,
      );
    if (isOfDeposits) return;
    const isLow = cost > 0n && balance < cost + feeLimit * PAYMENTS_IN_STORE;
    if (isLow && !this.isCoinLow) log.warn('chains.energy_low', { account: owner, trx: coins(balance) });
    this.isCoinLow = isLow;
  }

  /**
   * Returns the reference block, expiration and fee limit of a new transaction. `signedBefore` is the number
   * of earlier transactions of the payment. Throws `ChannelUnavailable` if no block was read yet, or if the
   * newest one that was read is too old.
   */
  private async validity(signedBefore: number, feeLimit: bigint): Promise<Validity> {
    const { database, clock } = this.parts;
    const [refBlock] = await seenBlocks(database.store, TRON, 1);
    const time = await tronTime(database.store);
    if (refBlock === undefined || time === undefined) throw new ChannelUnavailable('no block was read yet');
    if (clock.now() - time > BLOCK_AGE_MOST)
      throw new ChannelUnavailable(
        `the newest block that was read is ${Math.round((clock.now() - time) / MINUTE_MS)} minutes old`,
      );
    return { refBlock, expiration: time + tronLifetimeOf(signedBefore), feeLimit: feeLimit.toString() };
  }

  private target(origin: string) {
    return { origin, account: this.parts.wallet };
  }

  /**
   * Sends a request to the signer, verifies all transactions that it returns for the payment, and stores and returns
   * them, oldest first. `expected` is the transfer that they must make; if undefined, the stored payment defines it.
   * Throws if the signer refuses, or if its transactions are not those of the payment.
   */
  private async request(request: TronRequest, expected: Expected | undefined): Promise<SignedTron[]> {
    const { database, signer, clock, height } = this.parts;
    const { origin } = request;
    const answer: TronAnswer = tronAnswer.parse(await signer.answerTo(request, TRON_LINE_MAX));
    if ('refused' in answer) {
      if ('asset' in request) await markSigning(database.store, origin, undefined);
      throw new Error(`the signer refused ${origin}: ${answer.refused}`);
    }
    const pays = expected ?? (await this.expectedOfStored(origin));
    const given: GivenTron[] = [];
    for (const { raw, refBlock } of answer.signed) {
      const transfer = await readTronTransfer(raw);
      requirePays(origin, transfer, pays, refBlock);
      const { txid, expiration, feeLimit } = transfer;
      given.push({ txid, raw, refBlock, expiration, feeLimit });
    }
    const ends = given.map(({ expiration }) => expiration);
    if (ends.some((end, at) => at > 0 && end <= ends[at - 1]!))
      throw new Error(`the signer gave transactions for ${origin} that do not end one after another`);
    await database.transaction((tx) =>
      storeSignedTron(tx, origin, { serial: answer.serial, given }, { height: height(), at: clock.now() }),
    );
    const signed = await signedTron(database.store, origin);
    if (signed.length !== given.length || signed.some(({ txid }, at) => txid !== given[at]!.txid))
      throw new Error(`the signer and the database have different transactions for ${origin}`);
    return signed;
  }

  private async expectedOfStored(origin: string): Promise<Expected> {
    const stored = await findSending(this.parts.database.store, origin);
    if (stored === undefined) throw new Error(`${origin} is not stored`);
    const { tokens, wallet, depositAddress } = this.parts;
    const { asset, address, amount, fromIndex } = stored;
    const token = tokens.get(asset);
    return {
      owner: fromIndex === undefined ? wallet : await depositAddress(fromIndex),
      contract: token?.contract,
      address,
      units: amount.toScaled(token?.digits ?? TRX_DIGITS),
    };
  }

  private async submit(origin: string, { raw, txid, hasEnded, outcome }: SignedTron): Promise<void> {
    const { node, database, clock, log } = this.parts;
    const now = clock.now();
    const last = this.submitted.get(origin);
    if (hasEnded || outcome !== undefined || (last?.txid === txid && now - last.at < RESUBMIT_MS)) return;
    try {
      const { code, text } = await node.broadcast(raw);
      this.submitted.set(origin, { txid, at: now });
      if (TAKEN.has(code)) {
        this.waiting.delete(origin);
        await markSent(database.store, origin, now);
        return;
      }
      // The transaction has expired by the time of the node's newest block. The payment is signed again after that
      // block is solidified.
      if (code === 'TRANSACTION_EXPIRATION_ERROR') return;
      if (!this.waiting.has(origin))
        log.warn('chains.payment_not_taken', { origin, txid, result: code, text });
      this.waiting.store(origin, `the node does not take ${origin} (${code}): ${text}`);
    } catch (cause) {
      // A failed broadcast is only logged: the transaction is stored, and it is broadcast again until it expires.
      log.warn('chains.not_handed_over', { txid, cause });
    }
  }

  private forget(origin: string): void {
    this.waiting.delete(origin);
    this.submitted.delete(origin);
  }
}

/**
 * Returns the signer's request for a payment. Throws for a payment that has neither the digest of its owner's
 * confirmation, nor the digest of an approved transfer to the cold wallet, nor the terms of a transfer
 * between a deposit address and the hot wallet.
 */
function requestOf(
  sending: Sending,
  target: Validity & Pick<TronPaymentRequest, 'origin' | 'account' | 'serial' | 'address'>,
): TronPaymentRequest {
  const { origin, asset, amount, confirmed, coldDigest, sweep } = sending;
  const payment = { ...target, asset, amount: amount.toString() };
  const approved = approverOf(sending);
  if (confirmed !== undefined) {
    const { owner, digest } = confirmed;
    return { kind: 'pay', owner, digest, approvedBy: approved, ...payment };
  }
  if (coldDigest !== undefined) return { kind: 'cold', digest: coldDigest, approvedBy: approved, ...payment };
  if (sweep === undefined) throw new Error(`${origin} has no digest of its owner's confirmation`);
  return { kind: sweep.kind, index: sweep.index, ...payment };
}

/**
 * Throws if a transaction from the signer is not the expected transfer, or if it does not refer to the block `refBlock`
 * that the signer states.
 */
function requirePays(origin: string, transfer: TronTransfer, expected: Expected, refBlock: number): void {
  const isRight =
    transfer.owner === expected.owner &&
    transfer.contract === expected.contract &&
    transfer.address === expected.address &&
    transfer.units === expected.units &&
    isReferenceTo(transfer, refBlock);
  if (!isRight) throw new Error(`the signer gave another payment for ${origin} than was asked for`);
}

function coins(sun: bigint): string {
  return Decimal.ofScaled(sun, TRX_DIGITS).toString();
}

function notRaised(): Refused {
  return new Refused(refusal('closed', 'l.fee_not_raised', { limit: TRON }));
}
