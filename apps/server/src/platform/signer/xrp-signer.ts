import { createHash } from 'node:crypto';
import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS } from '@exchange/core/time.ts';
import {
  readXrpTransaction,
  signXrpTransaction,
  type XrpKey,
  type XrpTransaction,
} from '../xrp/transactions.ts';
import { addedFee, feeProblem, type FeeLimit } from './fee-limit.ts';
import { LineSigner, type SignerParts, type SigningLimit } from './line-signer.ts';
import type { XrpEntry, XrpJournal } from './xrp-journal.ts';
import {
  XRP_LINE_MAX,
  xrpRequest,
  type XrpAnswer,
  type XrpPaymentRequest,
  type XrpRequest,
} from './xrp-protocol.ts';

const CODE = 'XRP';
const XRP_DIGITS = 6;
/** Number of a payment's journal entries from which on the signer signs no further renewal or void transaction. */
const VARIANTS_MAX = { renew: 300, void: 400 } as const;

export interface XrpSigningTerms {
  readonly networkId: number;
  /**
   * Maximum amounts of a payment and of all payments to the outside within 24 hours, in XRP. If undefined,
   * nothing is paid to the outside.
   */
  readonly limit: SigningLimit | undefined;
  readonly fees: FeeLimit;
  /** Address of the exchange's cold wallet, the only receiver of surplus; undefined if none is configured. */
  readonly cold: string | undefined;
}

interface Parts extends SignerParts {
  readonly terms: XrpSigningTerms;
  readonly key: XrpKey;
  /** The XRP Ledger address of the signer's key. */
  readonly address: string;
  readonly journal: XrpJournal;
}

type VariantRequest = Extract<XrpRequest, { kind: 'renew' | 'void' }>;

/**
 * Signs approved payments with the key of an account of the XRP Ledger. All transactions of a payment, including one
 * that voids it, have the same sequence number. The ledger executes only one of them, so the payment is made at most
 * once, even if the exchange reports wrongly that a transaction has expired. Every transaction expires after its last
 * ledger. The signer writes each transaction to disk before it answers.
 */
export class XrpSigner extends LineSigner {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    super(parts, XRP_LINE_MAX);
    this.parts = parts;
  }

  get address(): string {
    return this.parts.address;
  }

  protected override answer(body: unknown): Promise<unknown> {
    return this.answerTo(xrpRequest.parse(body));
  }

  /** Answers a request with all signed transactions of the payment, or with the reason for a refusal. */
  async answerTo(request: XrpRequest): Promise<XrpAnswer> {
    const { terms, address, journal } = this.parts;
    const { account, networkId, origin } = request;
    if (networkId !== terms.networkId) return { refused: `network ${networkId} is not ${terms.networkId}` };
    if (account !== address) return { refused: `${account} is not the account ${address}` };
    if (request.kind === 'find') return answerOf(journal.find(origin));
    if (request.kind === 'pay' || request.kind === 'cold') return this.sign(request);
    return this.signVariant(request);
  }

  private async sign(request: XrpPaymentRequest): Promise<XrpAnswer> {
    const { journal, now } = this.parts;
    const { kind, origin, drops, lastLedger } = request;
    const entries = journal.find(origin);
    const details = detailsOf(request);
    if (isVoided(entries)) return { refused: 'the payment was voided' };
    if (entries.length > 0)
      return entries[0]!.details === details
        ? answerOf(entries)
        : { refused: 'another payment was signed under this name' };
    const problem = this.problemOf(request);
    if (problem !== undefined) return { refused: problem };
    const sequence = Math.max(request.sequence, journal.nextSequence);
    const raw = await this.signed({
      sequence,
      lastLedger,
      fee: BigInt(request.fee),
      payment: { address: request.address, tag: request.tag, drops: BigInt(drops) },
    });
    journal.add({ kind, origin, details, drops, sequence, lastLedger, at: now(), raw, fee: request.fee });
    return answerOf(journal.find(origin));
  }

  /**
   * Signs a payment again (`renew`), or signs a transaction without effect in its place (`void`), with the sequence
   * number of the payment's first transaction. If nothing was signed for the payment, `renew` is refused, and `void` is
   * only recorded, so that the payment is never signed.
   */
  private async signVariant({ kind, origin, lastLedger, fee }: VariantRequest): Promise<XrpAnswer> {
    const { journal, now } = this.parts;
    const entries = journal.find(origin);
    const [first] = entries;
    if (kind === 'renew' && isVoided(entries)) return { refused: 'the payment was voided' };
    if (first === undefined || first.raw === '') {
      if (kind === 'renew') return { refused: 'nothing was signed under this name' };
      if (first === undefined)
        journal.add({
          kind: 'void',
          origin,
          details: '',
          drops: '0',
          sequence: 0,
          lastLedger: 0,
          at: now(),
          raw: '',
        });
      return answerOf(journal.find(origin));
    }
    const last = entries.at(-1)!;
    const added = addedFee(BigInt(fee), entries);
    const feeRefusal = this.feeProblemOf(fee, added);
    if (feeRefusal !== undefined) return { refused: feeRefusal };
    if (lastLedger < last.lastLedger)
      return { refused: `ledger ${lastLedger} is before ${last.lastLedger}, the end of an earlier one` };
    if (entries.length >= VARIANTS_MAX[kind])
      return { refused: `${entries.length} transactions were signed under this name` };
    const { payment } = await readXrpTransaction(first.raw);
    const { details, drops, sequence } = first;
    const raw = await this.signed({
      sequence,
      lastLedger,
      fee: BigInt(fee),
      payment: kind === 'void' ? undefined : payment,
    });
    // A repeated request results in the same transaction, which is recorded only once.
    if (entries.every((each) => each.raw !== raw))
      journal.add({
        kind,
        origin,
        details,
        drops,
        sequence,
        lastLedger,
        at: now(),
        raw,
        fee: added === 0n ? undefined : added.toString(),
      });
    return answerOf(journal.find(origin));
  }

  /**
   * Returns the reason why a transaction with this fee, which adds `added` to the network fees of the last 24
   * hours, is refused, both in drops; undefined if it is accepted.
   */
  private feeProblemOf(fee: string, added: bigint): string | undefined {
    const { terms, journal, now } = this.parts;
    return feeProblem(terms.fees, {
      fee: BigInt(fee),
      added,
      earlier: journal.fees.sumSince(now() - DAY_MS),
    });
  }

  private signed(transaction: Omit<XrpTransaction, 'account' | 'networkId'>): Promise<string> {
    const { address, terms, key } = this.parts;
    return signXrpTransaction({ ...transaction, account: address, networkId: terms.networkId }, key);
  }

  private problemOf(request: XrpPaymentRequest): string | undefined {
    const { address } = this.parts;
    const drops = BigInt(request.drops);
    if (drops <= 0n) return `${drops} drops are no amount`;
    if (request.address === address) return 'the account cannot pay itself';
    const problem = this.feeProblemOf(request.fee, BigInt(request.fee));
    if (problem !== undefined) return problem;
    return request.kind === 'cold' ? this.coldProblem(request) : this.limitProblem(request, drops);
  }

  private limitProblem(
    request: Extract<XrpPaymentRequest, { kind: 'pay' }>,
    drops: bigint,
  ): string | undefined {
    const { terms, journal, now } = this.parts;
    const { origin, owner, address, tag, digest } = request;
    const amount = coins(drops);
    const isConfirmed = this.isConfirmed({
      origin,
      owner,
      network: CODE,
      asset: CODE,
      address,
      memo: tag === undefined ? undefined : String(tag),
      amount,
      digest,
    });
    if (!isConfirmed) return 'the digest is not that of what the owner confirmed';
    const { limit } = terms;
    if (limit === undefined) return 'nothing is paid to the outside';
    if (amount.isMore(limit.once)) return `${amount} XRP are more than ${limit.once} at once`;
    const inDay = coins(journal.paidSince(now() - DAY_MS) + drops);
    return inDay.isMore(limit.day) ? `with ${amount} XRP more than ${limit.day} within a day` : undefined;
  }

  private coldProblem(request: Extract<XrpPaymentRequest, { kind: 'cold' }>): string | undefined {
    const { cold } = this.parts.terms;
    const { address, origin, digest, tag } = request;
    if (cold === undefined || address !== cold) return `${address} is not the cold wallet`;
    const isApproved =
      tag === undefined &&
      this.isApprovedTransfer({
        origin,
        digest,
        network: CODE,
        asset: CODE,
        address,
        amount: coins(BigInt(request.drops)),
      });
    return isApproved ? undefined : 'the digest is not that of what two operators approved';
  }
}

function isVoided(entries: readonly XrpEntry[]): boolean {
  return entries.some(({ kind }) => kind === 'void');
}

function answerOf(entries: readonly XrpEntry[]): XrpAnswer {
  return {
    signed: entries
      .filter(({ raw }) => raw !== '')
      .map(({ raw, kind }) => ({ raw, isVoid: kind === 'void' })),
    isVoided: isVoided(entries),
  };
}

function detailsOf({ kind, address, tag, drops }: XrpPaymentRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, address, tag ?? null, drops]))
    .digest('hex');
}

function coins(drops: bigint): Decimal {
  return Decimal.ofScaled(drops, XRP_DIGITS);
}
