import { createHash } from 'node:crypto';
import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@exchange/core/time.ts';
import { TRON } from '@exchange/core/tron-network.ts';
import type { HDNodeWallet } from 'ethers';
import pLimit from 'p-limit';
import {
  readTronTransfer,
  referenceOf,
  signTronTransfer,
  tronAddressOf,
  type TronTransfer,
} from '../tron/transactions.ts';
import { feeProblem, type FeeLimit } from './fee-limit.ts';
import { LineSigner, type SignerParts, type SigningLimit } from './line-signer.ts';
import { sweepOf } from './protocol.ts';
import type { TronEntry, TronJournal } from './tron-journal.ts';
import {
  TRON_LINE_MAX,
  tronRequest,
  type TronAnswer,
  type TronPaymentRequest,
  type TronRenewal,
  type TronRequest,
} from './tron-protocol.ts';

/** The coin in which TRON charges energy and bandwidth, and its number of decimals. */
const COIN = 'TRX';
const COIN_DIGITS = 6;
/** Maximum time in milliseconds from the signing of a transaction to its expiration. */
const LIFETIME_MAX = 2 * HOUR_MS;
/**
 * Milliseconds from the expiration of a transaction until the same payment may be signed again. They allow for
 * differences between the clocks of this machine and of the chain.
 */
const PAUSE_MS = 2 * MINUTE_MS;
/**
 * Sun that a transaction can burn in addition to its fee limit, which bounds energy only: bandwidth, and the account that
 * a transfer of TRX activates.
 */
const BEYOND_LIMIT = 2_000_000n;
/** Maximum number of transactions that are signed for one payment. */
const VARIANTS_MAX = 60;

export interface TronSigningTerms {
  /** Contract in base 58 and number of decimals of each token that may be paid, by coin. */
  readonly tokens: ReadonlyMap<string, { readonly contract: string; readonly digits: number }>;
  /** Limits of payments by coin. A coin without a limit is not paid to the outside. */
  readonly limits: ReadonlyMap<string, SigningLimit>;
  /**
   * Maximum fee limit of a transaction, and of what all transactions signed within 24 hours can burn, in sun.
   */
  readonly fees: FeeLimit;
  /** Address of the exchange's cold wallet, the only receiver of surplus; undefined if none is configured. */
  readonly cold: string | undefined;
  /** Maximum TRX of one transfer to a deposit address, and of all such transfers within 24 hours. */
  readonly gas: SigningLimit;
}

interface Parts extends SignerParts {
  readonly terms: TronSigningTerms;
  /** Private key of the hot wallet in hex, with `0x`, and its address in base 58. */
  readonly key: string;
  readonly address: string;
  /** Parent of the keys of deposit addresses; undefined if deposit addresses are not swept. */
  readonly deposits: HDNodeWallet | undefined;
  readonly journal: TronJournal;
}

/**
 * Signs approved payments with the key of the hot wallet on TRON, and sweeps with the keys of deposit
 * addresses. TRON has no sequence numbers, so the chain itself would not prevent that two transactions of a
 * payment are both executed. Therefore each transaction expires, and the next one is signed only when all
 * earlier ones have expired by this machine's clock. Only the exchange knows whether an earlier one is in a
 * block, so a payment that is signed again counts towards the limit of 24 hours again. The signer writes
 * every entry of its journal to disk before it answers.
 */
export class TronSigner extends LineSigner {
  private readonly parts: Parts;
  private readonly inTurn = pLimit(1);

  constructor(parts: Parts) {
    super(parts, TRON_LINE_MAX);
    this.parts = parts;
  }

  get address(): string {
    return this.parts.address;
  }

  protected override answer(body: unknown): Promise<unknown> {
    return this.answerTo(tronRequest.parse(body));
  }

  /** Answers a request with all signed transactions of the payment, or with the reason for a refusal. */
  answerTo(request: TronRequest): Promise<TronAnswer> {
    // Requests are answered one after another. Concurrent ones could sign a payment twice or exceed a limit together.
    return this.inTurn(() => this.answerAlone(request));
  }

  private async answerAlone(request: TronRequest): Promise<TronAnswer> {
    const { address, journal } = this.parts;
    const { account, origin } = request;
    if (account !== address) return { refused: `${account} is not the account ${address}` };
    if (request.kind === 'find') return answerOf(journal.find(origin));
    if (request.kind === 'void') return this.void(origin);
    if (request.kind === 'renew') return this.renew(request);
    return this.sign(request);
  }

  private async sign(request: TronPaymentRequest): Promise<TronAnswer> {
    const { journal } = this.parts;
    const { kind, origin, asset, amount, serial } = request;
    const entries = journal.find(origin);
    const details = detailsOf(request);
    if (isVoided(entries)) return { refused: 'the payment was voided' };
    if (entries.length > 0)
      return entries[0]!.details === details
        ? answerOf(entries)
        : { refused: 'another payment was signed under this name' };
    const problem = this.problemOf(request) ?? this.validityProblem(request);
    if (problem !== undefined) return { refused: problem };
    const first = {
      origin,
      details,
      asset,
      amount,
      of: kind,
      serial: Math.max(serial, journal.nextSerial),
      index: kind === 'sweep' ? request.index : undefined,
    };
    await this.store(kind, request, first, {
      owner: kind === 'sweep' ? request.address : this.parts.address,
      address: kind === 'sweep' ? this.parts.address : request.address,
      contract: this.contractOf(asset),
      units: Decimal.parse(amount).toScaled(this.digitsOf(asset)),
    });
    return answerOf(journal.find(origin));
  }

  /**
   * Signs a payment again, at the earliest `PAUSE_MS` after all its transactions have expired. Refuses if the exchange
   * does not know all of them, or if there are already `VARIANTS_MAX`.
   */
  private async renew(request: TronRenewal): Promise<TronAnswer> {
    const { journal, now } = this.parts;
    const { origin } = request;
    const entries = journal.find(origin);
    const [first, last] = [entries[0], entries.at(-1)];
    if (isVoided(entries)) return { refused: 'the payment was voided' };
    if (first === undefined || last === undefined) return { refused: 'nothing was signed under this name' };
    if (entries.length !== request.known)
      return { refused: `${entries.length} transactions were signed under this name, not ${request.known}` };
    const end = Math.max(...entries.map(({ expiration }) => expiration)) + PAUSE_MS;
    if (now() < end)
      return { refused: `an earlier transaction may be paid until ${new Date(end).toISOString()}` };
    if (entries.length >= VARIANTS_MAX)
      return { refused: `${entries.length} transactions were signed under this name` };
    const problem = this.validityProblem(request) ?? this.repeatedLimitProblem(first);
    if (problem !== undefined) return { refused: problem };
    const { of, details, asset, amount, serial, index } = first;
    const { owner, address, contract, units } = await readTronTransfer(first.raw);
    const payment = { origin, of, details, asset, amount, serial, index };
    await this.store('renew', request, payment, { owner, address, contract, units });
    return answerOf(journal.find(origin));
  }

  private void(origin: string): TronAnswer {
    const { journal, now } = this.parts;
    const entries = journal.find(origin);
    const first = entries[0];
    if (!isVoided(entries))
      journal.add({
        kind: 'void',
        origin,
        details: '',
        asset: '',
        amount: '0',
        serial: first?.serial ?? 0,
        refBlock: 0,
        expiration: 0,
        timestamp: 0,
        at: now(),
        raw: '',
      });
    return answerOf(journal.find(origin));
  }

  /** Builds and signs a transaction, and writes it to the journal. */
  private async store(
    kind: TronEntry['kind'],
    { refBlock, expiration, feeLimit }: Pick<TronRenewal, 'refBlock' | 'expiration' | 'feeLimit'>,
    payment: Pick<TronEntry, 'origin' | 'of' | 'details' | 'asset' | 'amount' | 'serial' | 'index'>,
    contents: Pick<TronTransfer, 'owner' | 'address' | 'contract' | 'units'>,
  ): Promise<void> {
    const { journal, now } = this.parts;
    // Two equal payments with equal times would be the same transaction, so only one of them would be paid.
    const timestamp = journal.timestampAt(now());
    const transfer = {
      ...contents,
      ...referenceOf(refBlock),
      expiration,
      timestamp,
      feeLimit: BigInt(feeLimit),
    };
    const raw = await signTronTransfer(transfer, this.keyOf(payment.index));
    const { number } = refBlock;
    const fee = (BigInt(feeLimit) + BEYOND_LIMIT).toString();
    journal.add({ kind, ...payment, refBlock: number, expiration, timestamp, at: now(), raw, fee });
  }

  private keyOf(index: number | undefined): string {
    const { key, deposits } = this.parts;
    if (index === undefined) return key;
    if (deposits === undefined) throw new Error('no keys of deposit addresses are configured');
    return deposits.deriveChild(index).privateKey;
  }

  private depositAddress(index: number): string {
    const { deposits } = this.parts;
    if (deposits === undefined) throw new Error('no keys of deposit addresses are configured');
    return tronAddressOf(deposits.deriveChild(index).address);
  }

  private contractOf(asset: string): string | undefined {
    return this.parts.terms.tokens.get(asset)?.contract;
  }

  private digitsOf(asset: string): number {
    return this.parts.terms.tokens.get(asset)?.digits ?? COIN_DIGITS;
  }

  private problemOf(request: TronPaymentRequest): string | undefined {
    const { kind, asset } = request;
    const amount = Decimal.parse(request.amount);
    const isToken = this.contractOf(asset) !== undefined;
    if (isToken === (kind === 'gas') || (!isToken && asset !== COIN)) return `${asset} is not signed here`;
    if (!amount.isPositive() || !amount.fits(this.digitsOf(asset)))
      return `${request.amount} is no amount of ${asset}`;
    if (kind === 'pay') return this.paymentProblem(request, amount);
    if (kind === 'cold') return this.coldProblem(request, amount);
    return this.depositProblem(request, amount);
  }

  private paymentProblem(
    request: Extract<TronPaymentRequest, { kind: 'pay' }>,
    amount: Decimal,
  ): string | undefined {
    const { origin, owner, asset, address, digest } = request;
    const withdrawal = { origin, owner, network: TRON, asset, address, memo: undefined, amount, digest };
    if (!this.isConfirmed(withdrawal)) return 'the digest is not that of what the owner confirmed';
    if (address === this.parts.address) return 'the account cannot pay itself';
    return this.limitProblem(asset, amount, this.parts.terms.limits.get(asset));
  }

  /**
   * Returns the reason why a transfer to the cold wallet is refused; undefined if it is accepted. Such a
   * transfer counts towards no limit, because the coins remain the exchange's.
   */
  private coldProblem(
    request: Extract<TronPaymentRequest, { kind: 'cold' }>,
    amount: Decimal,
  ): string | undefined {
    const { cold } = this.parts.terms;
    const { origin, asset, address, digest } = request;
    if (cold === undefined || address !== cold) return `${address} is not the cold wallet`;
    return this.isApprovedTransfer({ origin, digest, network: TRON, asset, address, amount })
      ? undefined
      : 'the digest is not that of what two operators approved';
  }

  /**
   * Returns the reason why a transfer between a deposit address and the hot wallet is refused; undefined if
   * it is accepted. This signer has the keys of both accounts.
   */
  private depositProblem(
    request: Extract<TronPaymentRequest, { kind: 'sweep' | 'gas' }>,
    amount: Decimal,
  ): string | undefined {
    const { terms, deposits } = this.parts;
    const { kind, origin, index, address } = request;
    if (deposits === undefined) return 'no keys of deposit addresses are configured here';
    if (this.depositAddress(index) !== address) return `${address} is not the deposit address ${index}`;
    if (sweepOf(origin) === undefined || !origin.startsWith(`${kind} `))
      return `${origin} is not the name of a ${kind} transfer`;
    return kind === 'gas' ? this.limitProblem('gas', amount, terms.gas) : undefined;
  }

  /**
   * Returns the reason why a transaction is refused because of its expiration, its fee limit or the network
   * fees of the last 24 hours; undefined if it is accepted.
   */
  private validityProblem({
    expiration,
    feeLimit,
  }: Pick<TronRenewal, 'expiration' | 'feeLimit'>): string | undefined {
    const { terms, journal, now } = this.parts;
    const at = now();
    const fee = BigInt(feeLimit);
    const earlier = journal.fees.sumSince(at - DAY_MS);
    const problem = feeProblem(terms.fees, { fee, added: fee + BEYOND_LIMIT, earlier });
    if (problem !== undefined) return problem;
    if (expiration <= at) return 'the transaction would have ended already';
    return expiration > at + LIFETIME_MAX ? 'the transaction would end too late' : undefined;
  }

  private repeatedLimitProblem({ of, asset, amount }: TronEntry): string | undefined {
    const { limits, gas } = this.parts.terms;
    if (of === 'pay') return this.limitProblem(asset, Decimal.parse(amount), limits.get(asset));
    return of === 'gas' ? this.limitProblem('gas', Decimal.parse(amount), gas) : undefined;
  }

  private limitProblem(name: string, amount: Decimal, limit: SigningLimit | undefined): string | undefined {
    const { journal, now } = this.parts;
    if (limit === undefined) return `${name} is not paid to the outside`;
    if (amount.isMore(limit.once)) return `${amount} ${name} are more than ${limit.once} at once`;
    const inDay = journal.signedSince(name, now() - DAY_MS).plus(amount);
    return inDay.isMore(limit.day) ? `with ${amount} ${name} more than ${limit.day} within a day` : undefined;
  }
}

function isVoided(entries: readonly TronEntry[]): boolean {
  return entries.some(({ kind }) => kind === 'void');
}

function answerOf(entries: readonly TronEntry[]): TronAnswer {
  return {
    serial: entries[0]?.serial ?? 0,
    signed: entries.filter(({ raw }) => raw !== '').map(({ raw, refBlock }) => ({ raw, refBlock })),
    isVoided: isVoided(entries),
  };
}

function detailsOf(request: TronPaymentRequest): string {
  const { kind, asset, address } = request;
  const details: (string | number)[] = [kind, asset, address, Decimal.parse(request.amount).toString()];
  if (kind === 'sweep' || kind === 'gas') details.push(request.index);
  return createHash('sha256').update(JSON.stringify(details)).digest('hex');
}
