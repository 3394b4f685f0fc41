import { createHash } from 'node:crypto';
import { Decimal } from '@exchange/core/decimal.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { errorMessage } from '../../platform/error-message.ts';
import type { Log } from '../../platform/log.ts';
import type { SignerClient } from '../../platform/signer/client.ts';
import {
  XRP_LINE_MAX,
  xrpAnswer,
  type XrpAnswer,
  type XrpPaymentRequest,
  type XrpRequest,
} from '../../platform/signer/xrp-protocol.ts';
import { readXrpTransaction, type XrpTransaction } from '../../platform/xrp/transactions.ts';
import { seenBlocks } from './block-repository.ts';
import { ChannelUnavailable } from './channel.ts';
import {
  approverOf,
  type FeeRaise,
  type PaymentCost,
  type Sending,
  type SendingStatus,
  type Sent,
  type SignedVariant,
  type VoidStatus,
} from './domain.ts';
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
  type StoredVariant,
} from './evm-repository.ts';
import { requireNotVoided, storeVoid } from './repository.ts';
import type { PaymentSender } from './signed-channel.ts';
import { Troubles } from './troubles.ts';
import { boundedFee, lifetimeOf, SUCCESS, XRP, XRP_DIGITS, type XrpOutcome } from './xrp-domain.ts';
import type { XrpNode } from './xrp-node.ts';
import { recipientProblem } from './xrp-recipient.ts';
import { findInternal, outcomeAt, signedFrom, storeInternal } from './xrp-repository.ts';

interface Parts {
  readonly networkId: number;
  /** Address of the exchange's account that pays; only the signer has its private key. */
  readonly account: string;
  readonly signer: SignerClient;
  readonly node: XrpNode;
  readonly clock: Clock;
  readonly database: Pick<Database, 'store' | 'transaction'>;
  readonly log: Log;
  /** Least and greatest fee of a transaction, in drops (10^-6 XRP). */
  readonly fees: { readonly least: bigint; readonly most: bigint };
  /** Returns the number of the newest ledger that was read. */
  readonly height: () => number;
  /** Returns the number of the network's newest known ledger; a transaction expires a number of ledgers after it. */
  readonly head: () => number;
}

/** A stored signed transaction, with the fields that are decoded from it. */
type Variant = StoredVariant & Pick<XrpTransaction, 'sequence' | 'lastLedger' | 'fee'>;

const RESUBMIT_MS = 15_000;
/** Name of the unit of fees, shown to operators. */
const DROPS = 'drops';
/** Factor from drops to the unit of the fees in `SignedVariant`, 10^-9 drops. */
const VARIANT_FEE_SCALE = 1_000_000_000n;
/** A node replaces a queued transaction only by one whose fee is at least a quarter higher. */
const RAISE = { times: 5n, parts: 4n };
/**
 * Preliminary results after which the network may still include the transaction. Final results are
 * read from ledgers.
 */
const TAKEN = /^(?:tes|tec|ter)|^tef(?:ALREADY|PAST_SEQ|MAX_LEDGER)$/;

/**
 * Sends payments on the XRP Ledger. The signer signs a payment always with the same sequence number, and every
 * transaction has a last ledger. Ledgers are read without gaps, so a transaction that is in no ledger up to its last
 * ledger has definitely expired. The payment is then signed again with the same sequence number, which at most one
 * transaction can use. A transaction is stored before it is broadcast.
 */
export class XrpSender implements PaymentSender {
  private readonly parts: Parts;
  private lastTrouble: string | undefined;
  /** Why payments wait for operators or the signer, by the payment's origin (idempotency key). */
  private readonly waiting = new Troubles();
  /**
   * The transaction of each payment that was submitted last, with the time of its submission, by the payment's origin
   * (idempotency key).
   */
  private readonly submitted = new Map<string, { readonly txid: string; readonly at: number }>();

  constructor(parts: Parts) {
    this.parts = parts;
  }

  get trouble(): string | undefined {
    return this.lastTrouble ?? this.waiting.first;
  }

  /**
   * Sends a payment, as specified at `Channel.send`. A payment to the exchange's own account is recorded at
   * once as received for the user with its tag, without a transaction. Throws if the payment is stored with
   * another address or amount.
   */
  async send(sending: Sending): Promise<Sent> {
    const { database, clock, account } = this.parts;
    const { store } = database;
    const { origin } = sending;
    try {
      await requireNotVoided(store, origin);
      requireForm(sending);
      if (sending.address === account) return await this.sendInternally(sending);
      const stored = await findSending(store, origin);
      if (stored === undefined) await insertSending(store, sending, clock.now());
      else if (stored.address !== sending.address || !stored.amount.equals(sending.amount))
        throw new Error(`${origin} is to send something else than before`);
      const newest = (await this.variants(origin)).at(-1) ?? (await this.signNew(sending));
      await this.submit(origin, newest);
      this.lastTrouble = undefined;
      return { txid: newest.txid, block: undefined };
    } catch (cause) {
      this.lastTrouble = errorMessage(cause);
      throw cause;
    }
  }

  /**
   * The status of a payment, as specified at `Channel.status`. A transaction that has not expired is
   * submitted again, at most every `RESUBMIT_MS`; if the newest one has expired, the payment is signed again,
   * unless it is voided; a transaction that voids it is signed again.
   */
  async status(origin: string): Promise<SendingStatus> {
    const { database, height } = this.parts;
    const internal = await findInternal(database.store, { origin });
    if (internal !== undefined) return { state: 'mined', txid: internal.txid, block: internal.block };
    const variants = await this.variants(origin);
    const newest = variants.at(-1);
    if (newest === undefined) return { state: 'unknown' };
    const outcome = await outcomeAt(database.store, newest.sequence);
    if (outcome !== undefined) {
      // The sequence number may have been used by a transaction that the signer has signed but whose answer was lost;
      // that transaction is then requested from the signer.
      const isKnown = variants.some(({ txid }) => txid === outcome.txid);
      const all = isKnown ? variants : await this.request({ kind: 'find', origin, ...this.target() });
      return this.statusOf(origin, outcome, all);
    }
    const current = newest.lastLedger < height() ? ((await this.renew(origin, newest)) ?? newest) : newest;
    if (current.lastLedger >= height()) await this.submit(origin, current);
    return { state: 'waiting', txid: current.txid };
  }

  private statusOf(
    origin: string,
    { txid, block, result, sequence }: XrpOutcome,
    variants: readonly Variant[],
  ): SendingStatus {
    const used = variants.find((variant) => variant.txid === txid);
    if (used === undefined) {
      this.waiting.store(
        origin,
        `${origin} cannot be paid: its sequence number ${sequence} was used by ${txid}, which was not signed for it`,
      );
      return { state: 'waiting', txid: variants.at(-1)!.txid };
    }
    this.waiting.delete(origin);
    this.submitted.delete(origin);
    if (used.isVoid) return { state: 'voided', txid, block };
    return { state: result === SUCCESS ? 'mined' : 'failed', txid, block };
  }

  /**
   * Takes the next step to void a payment, as specified at `Channel.void`: stores that it is voided and,
   * unless the outcome of the payment is known already, has the signer sign a transaction that pays nothing
   * with the payment's sequence number, which is submitted. The payment counts as voided if `usedBy` is the
   * validated transaction that used this sequence number.
   */
  async void(sending: Sending, usedBy: string | undefined): Promise<VoidStatus> {
    const { database, clock } = this.parts;
    const { origin } = sending;
    await storeVoid(database.store, origin, clock.now());
    const status = await this.status(origin);
    if (status.state !== 'unknown' && status.state !== 'waiting') return status;
    const newest = (await this.variants(origin)).at(-1);
    if (newest !== undefined && usedBy !== undefined) {
      const outcome = await outcomeAt(database.store, newest.sequence);
      if (outcome?.txid === usedBy.toUpperCase()) {
        this.waiting.delete(origin);
        return { state: 'voided', txid: outcome.txid, block: outcome.block };
      }
    }
    if (newest?.isVoid === true) return status;
    const fee = newest === undefined ? this.parts.fees.least : this.raised(newest, await this.fee());
    const variants = await this.request({
      kind: 'void',
      origin,
      ...this.target(),
      ...this.price(fee, newest, 0),
    });
    const last = variants.at(-1);
    if (last === undefined) return { state: 'unsigned' };
    await this.submit(origin, last);
    return { state: 'waiting', txid: last.txid };
  }

  unanswered(limit: number): Promise<readonly string[]> {
    return unansweredOrigins(this.parts.database.store, XRP, limit);
  }

  /**
   * Obtains the transactions of a payment from the signer, whose answer was lost, and submits the newest one,
   * as specified at `Channel.recover`; undefined if the signer has signed none.
   */
  async recover(origin: string): Promise<Sent | undefined> {
    const newest = (await this.request({ kind: 'find', origin, ...this.target() })).at(-1);
    if (newest === undefined) {
      await markSigning(this.parts.database.store, origin, undefined);
      return undefined;
    }
    await this.submit(origin, newest);
    return { txid: newest.txid, block: undefined };
  }

  /**
   * Replaces a payment's transaction by one with the higher fee `maxFee` (in 10^-9 drops), as specified at
   * `Channel.raiseFee`.
   */
  async raiseFee(origin: string, maxFee: bigint): Promise<SignedVariant> {
    const { newest, fee, signedBefore } = await this.requireRaisable(origin, maxFee);
    const signed = await this.signAgain(origin, newest, fee, signedBefore);
    await this.submit(origin, signed);
    return viewOf(signed);
  }

  /** The fees and costs of the transaction that `raiseFee` would sign, as specified at `Channel.plannedRaise`. */
  async plannedRaise(origin: string, maxFee: bigint): Promise<FeeRaise> {
    const { newest, fee, least } = await this.requireRaisable(origin, maxFee);
    return {
      unit: DROPS,
      present: Decimal.ofScaled(newest.fee, 0),
      least: Decimal.ofScaled(least, 0),
      automatic: Decimal.ofScaled(this.parts.fees.most, 0),
      suggested: Decimal.ofScaled(await this.parts.node.fee(), 0),
      coin: XRP,
      presentCost: Decimal.ofScaled(newest.fee, XRP_DIGITS),
      raisedCost: Decimal.ofScaled(fee, XRP_DIGITS),
      payments: 1,
    };
  }

  /**
   * The newest transaction of a payment, `maxFee` converted to drops as the fee of its replacement, the least
   * fee in drops that nodes accept for it, and the number of transactions that were signed so far. Refuses a
   * payment that is unsigned or in a ledger, and a `maxFee` below the fee that nodes accept for a
   * replacement.
   */
  private async requireRaisable(origin: string, maxFee: bigint) {
    const variants = await this.variants(origin);
    const newest = variants.at(-1);
    if (newest === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    const { store } = this.parts.database;
    if ((await outcomeAt(store, newest.sequence)) !== undefined)
      throw new Refused(refusal('closed', 'l.withdraw_not_pending', { limit: 'waiting', value: 'mined' }));
    const fee = maxFee / VARIANT_FEE_SCALE;
    const least = this.raised(newest, 0n);
    if (fee < least)
      throw new Refused(
        refusal('belowMinimum', 'l.field_min', {
          field: 'gwei',
          limit: String(least),
          value: String(fee),
          unit: DROPS,
        }),
      );
    return { newest, fee, least, signedBefore: variants.length };
  }

  async signedFor(origin: string): Promise<readonly SignedVariant[]> {
    return (await this.variants(origin)).map(viewOf);
  }

  /**
   * Records a payment to the exchange's own account at once as received for the user with its tag, without a
   * transaction: on the XRP Ledger an account cannot pay itself. Throws for a payment without a tag, and
   * before the first ledger was read.
   */
  private async sendInternally(sending: Sending): Promise<Sent> {
    const { database } = this.parts;
    const { origin, memo, amount } = sending;
    if (memo === undefined) throw new Error(`${origin} pays the exchange's own account without a tag`);
    const [last] = await seenBlocks(database.store, XRP, 1);
    if (last === undefined) throw new Error('no ledger was read yet');
    const txid = createHash('sha256').update(`internal ${origin}`).digest('hex').toUpperCase();
    await database.transaction(async (tx) => {
      await requireNotVoided(tx, origin);
      await storeInternal(tx, sending, { txid, last });
    });
    const stored = (await findInternal(database.store, { origin }))!;
    if (stored.memo !== memo || !stored.amount.equals(amount))
      throw new Error(`${origin} is to send something else than before`);
    return { txid: stored.txid, block: stored.block };
  }

  /**
   * Signs a payment for the first time, or obtains from the signer a transaction that was signed but not stored. Throws
   * if the account cannot pay, if the recipient would not accept the payment, or if the signer refuses.
   */
  private async signNew(sending: Sending): Promise<Variant> {
    const { database, clock } = this.parts;
    const { origin } = sending;
    const request = await this.requestOf(sending);
    await markSigning(database.store, origin, clock.now());
    const variants = await this.request(request);
    const newest = variants.at(-1);
    if (newest === undefined) throw new Error(`the signer has nothing for ${origin}`);
    return newest;
  }

  /**
   * The signer's request for a payment. Throws if no ledger was read yet, if the account cannot pay, if the recipient
   * would not accept the payment, or if the payment has neither the digest of its owner's confirmation nor that of an
   * approved transfer to the cold wallet.
   */
  private async requestOf(sending: Sending): Promise<XrpPaymentRequest> {
    const { database, node, account, head } = this.parts;
    const { origin, address, memo, amount, confirmed, coldDigest } = sending;
    if (head() === 0) throw new ChannelUnavailable('no ledger was read yet');
    const problem = await recipientProblem(node, { address, memo }, amount);
    if (problem !== undefined) throw new Error(`${address} does not take ${origin}: ${problem.key}`);
    const fee = await this.fee();
    const [wallet, { reserve }] = [await node.account(account), await node.state()];
    if (wallet === undefined) throw new Error(`the account ${account} is not funded`);
    const pending = (await signedFrom(database.store, wallet.sequence)).toScaled(XRP_DIGITS);
    const reserved = reserve.base + BigInt(wallet.owned) * reserve.each;
    const spendable = wallet.balance - reserved - pending;
    const drops = amount.toScaled(XRP_DIGITS);
    if (spendable < drops + fee)
      throw new Error(
        `the account has ${coins(wallet.balance)} XRP, of which ${coins(reserved)} are its reserve and ${coins(pending)} are on their way: ${amount.toString()} cannot be paid`,
      );
    const payment = {
      origin,
      ...this.target(),
      ...this.price(fee, undefined, 0),
      address,
      drops: drops.toString(),
      approvedBy: approverOf(sending),
      sequence: Math.max(wallet.sequence, await nextNonce(database.store, XRP, undefined)),
    };
    const tagged = memo === undefined ? payment : { ...payment, tag: Number(memo) };
    if (confirmed !== undefined)
      return { ...tagged, kind: 'pay', owner: confirmed.owner, digest: confirmed.digest };
    if (coldDigest === undefined) throw new Error(`${origin} has no digest of its owner's confirmation`);
    return { ...tagged, kind: 'cold', digest: coldDigest };
  }

  /** Signs a payment again after its transaction has expired; undefined if it cannot be signed now. */
  private async renew(origin: string, newest: Variant): Promise<Variant | undefined> {
    const { log, database } = this.parts;
    try {
      // A payment that was voided must not be signed again, because its amount is returned to its owner.
      if (!newest.isVoid) await requireNotVoided(database.store, origin);
      const { length } = await this.variants(origin);
      const signed = await this.signAgain(origin, newest, await this.fee(), length);
      log.info('chains.payment_renewed', {
        origin,
        txid: signed.txid,
        ended: newest.lastLedger,
        lastLedger: signed.lastLedger,
      });
      this.waiting.delete(origin);
      return signed;
    } catch (cause) {
      const text = `${origin} has ended and is not signed again: ${errorMessage(cause)}`;
      if (this.waiting.store(origin, text)) log.warn('chains.payment_not_renewed', { origin, cause });
      return undefined;
    }
  }

  private async signAgain(
    origin: string,
    newest: Variant,
    fee: bigint,
    signedBefore: number,
  ): Promise<Variant> {
    const kind = newest.isVoid ? 'void' : 'renew';
    const variants = await this.request({
      kind,
      origin,
      ...this.target(),
      ...this.price(fee, newest, signedBefore),
    });
    return variants.at(-1)!;
  }

  private target() {
    const { account, networkId } = this.parts;
    return { account, networkId };
  }

  private price(fee: bigint, newest: Variant | undefined, signedBefore: number) {
    const lastLedger = this.parts.head() + lifetimeOf(signedBefore);
    return { fee: fee.toString(), lastLedger: Math.max(lastLedger, newest?.lastLedger ?? 0) };
  }

  /**
   * The current fee of a transaction in XRP, within the bounds of the settings, as the cost of a payment on
   * this network.
   */
  async paymentCosts(): Promise<ReadonlyMap<string, PaymentCost>> {
    return new Map([[XRP, { coin: XRP, amount: Decimal.ofScaled(await this.fee(), XRP_DIGITS) }]]);
  }

  private async fee(): Promise<bigint> {
    return boundedFee(await this.parts.node.fee(), this.parts.fees);
  }

  /**
   * The fee in drops with which a transaction replaces an earlier one in the queue of a node; the suggested fee if that
   * is higher.
   */
  private raised({ fee }: Variant, suggested: bigint): bigint {
    const least = (fee * RAISE.times) / RAISE.parts + 1n;
    return suggested > least ? suggested : least;
  }

  /** The stored signed transactions of a payment, oldest first. */
  private async variants(origin: string): Promise<Variant[]> {
    return Promise.all((await variantsOf(this.parts.database.store, origin)).map(decoded));
  }

  /**
   * Sends a request to the signer, verifies and stores all transactions that the signer returns for the
   * payment, and returns them, oldest first. An empty list means that the signer has none. Throws if the
   * signer refuses, or if its transactions are not those of the payment or can be executed besides each
   * other.
   */
  private async request(request: XrpRequest): Promise<Variant[]> {
    const { database, signer, clock, height } = this.parts;
    const { store } = database;
    const { origin } = request;
    const answer: XrpAnswer = xrpAnswer.parse(await signer.answerTo(request, XRP_LINE_MAX));
    if ('refused' in answer) {
      if (request.kind === 'pay' || request.kind === 'cold') await markSigning(store, origin, undefined);
      throw new Error(`the signer refused ${origin}: ${answer.refused}`);
    }
    const variants = await Promise.all(
      answer.signed.map(async ({ raw, isVoid }, number) => ({
        number,
        raw,
        isVoid,
        ...(await this.requireRight(raw, isVoid)),
      })),
    );
    const [first, ...further] = variants;
    if (first === undefined) return [];
    if (first.isVoid || variants.some(({ sequence }) => sequence !== first.sequence))
      throw new Error(`the signer gave transactions for ${origin} that do not exclude each other`);
    await this.requirePays(request, first.payment);
    const now = { height: height(), at: clock.now() };
    await storeSigned(store, origin, { raw: first.raw, txid: first.txid, nonce: first.sequence }, now);
    await storeVariants(
      store,
      origin,
      further.map(({ number, isVoid, txid, raw }) => ({ number, isVoid, txid, raw })),
      now,
    );
    return this.variants(origin);
  }

  private async requireRight(raw: string, isVoid: boolean) {
    const transaction = await readXrpTransaction(raw);
    const { account, networkId } = this.parts;
    const isRight =
      transaction.account === account &&
      transaction.networkId === (networkId > 1_024 ? networkId : 0) &&
      (transaction.payment === undefined) === isVoid;
    if (!isRight) throw new Error('the signer gave a transaction of another account, network or kind');
    return transaction;
  }

  /**
   * Throws unless the first transaction of the payment pays the stored amount to the stored address and, for a request
   * to sign it for the first time, has the requested tag and amount.
   */
  private async requirePays(request: XrpRequest, payment: XrpTransaction['payment']): Promise<void> {
    const { origin } = request;
    const stored = await findSending(this.parts.database.store, origin);
    const isStored =
      stored === undefined ||
      (payment?.address === stored.address && payment.drops === stored.amount.toScaled(XRP_DIGITS));
    const isRequested =
      (request.kind !== 'pay' && request.kind !== 'cold') ||
      (payment?.tag === request.tag && payment?.drops === BigInt(request.drops));
    if (!isStored || !isRequested)
      throw new Error(`the signer gave another payment for ${origin} than was asked for`);
  }

  private async submit(origin: string, { raw, txid }: Variant): Promise<void> {
    const { node, database, clock, log } = this.parts;
    const now = clock.now();
    const last = this.submitted.get(origin);
    if (last?.txid === txid && now - last.at < RESUBMIT_MS) return;
    try {
      const { result, text } = await node.submit(raw);
      this.submitted.set(origin, { txid, at: now });
      if (TAKEN.test(result)) {
        this.waiting.delete(origin);
        await markSent(database.store, origin, now);
        return;
      }
      if (!this.waiting.has(origin)) log.warn('chains.payment_not_taken', { origin, txid, result, text });
      this.waiting.store(origin, `the node does not take ${origin} (${result}): ${text}`);
    } catch (cause) {
      // A failed submission is only logged: the transaction is stored, and it is submitted again until its last ledger.
      log.warn('chains.not_handed_over', { txid, cause });
    }
  }
}

async function decoded(stored: StoredVariant): Promise<Variant> {
  const { sequence, lastLedger, fee } = await readXrpTransaction(stored.raw);
  return { ...stored, sequence, lastLedger, fee };
}

/**
 * Throws for a payment that the XRP Ledger cannot represent exactly, because the signed transaction would then differ
 * from the payment.
 */
function requireForm({ origin, memo, amount }: Sending): void {
  if (memo !== undefined && String(Number(memo)) !== memo)
    throw new Error(`${origin} has the tag ${memo}, which is no number`);
  if (!amount.isPositive() || !amount.fits(XRP_DIGITS))
    throw new Error(`${origin} pays ${amount.toString()}, which is no amount of XRP`);
}

function viewOf({ txid, isVoid, sequence, fee, at }: Variant): SignedVariant {
  return { txid, isVoid, nonce: sequence, maxFee: fee * VARIANT_FEE_SCALE, tip: 0n, unit: DROPS, at };
}

function coins(drops: bigint): string {
  return Decimal.ofScaled(drops, XRP_DIGITS).toString();
}
