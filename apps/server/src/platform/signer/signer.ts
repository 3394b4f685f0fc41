import { createHash } from 'node:crypto';
import { DAY_MS } from '@exchange/core/time.ts';
import { Decimal, sum } from '@exchange/core/decimal.ts';
import type { EvmFeeModel } from '@exchange/core/evm-network.ts';
import { Transaction, type HDNodeWallet } from 'ethers';
import * as z from 'zod';
import type { Signed, SigningJournal } from './journal.ts';
import {
  coldRequest,
  coldTransferId,
  depositRequest,
  feesOf,
  GAS_TAG,
  LINE_MAX,
  signingRequest,
  sweepOf,
  transferData,
  variantRequest,
  type ColdRequest,
  type DepositRequest,
  type SigningAnswer,
  type SigningRequest,
  type VariantAnswer,
  type VariantRequest,
} from './protocol.ts';
import { addedFee, feeProblem, type FeeLimit } from './fee-limit.ts';
import { LineSigner, type SignerParts, type SigningLimit } from './line-signer.ts';
import type { PaymentKey } from './web3signer-key.ts';

const anyRequest = z.union([signingRequest, coldRequest, depositRequest, variantRequest]);

/**
 * Number of a payment's signed transactions from which on the payment is no longer replaced or voided. With these
 * limits an answer with all of them fits into a line, and a payment can be voided after its last replacement.
 */
const VARIANTS_MAX = { replace: 20, void: 30 } as const;
/** Minimum fees of a replacement in per cent of the earlier fees. Nodes require fees that are a tenth higher. */
const RAISE_PERCENT = 110n;
const PERCENT = 100n;
/** Kinds of journal entries that are written before a key in another process signs, by kind of request. */
const INTENTS = {
  pay: 'intent',
  cold: 'coldIntent',
  gas: 'gasIntent',
} as const;

export interface SigningTerms {
  readonly chainId: number;
  /** Code of the network. The signer refuses payments that were confirmed or approved for another network. */
  readonly network: string;
  /** Form of the transactions. With `legacy`, a request's `maxFeePerGas` is the gas price that is paid. */
  readonly feeModel: EvmFeeModel;
  /** For each asset, the contract (undefined for the chain's native coin) and the number of decimals. */
  readonly assets: ReadonlyMap<string, { readonly contract: string | undefined; readonly digits: number }>;
  readonly limits: ReadonlyMap<string, SigningLimit>;
  /** Maximum fee of a transaction in wei per unit of gas. */
  readonly feeMax: bigint;
  /** Maximum number of units of gas of a transaction. */
  readonly gasMost: bigint;
  /**
   * Units of gas for a void, which is a transfer of the chain's coin to an account without code. If undefined, a void
   * has the gas limit of the payment, which the node estimated.
   */
  readonly voidGas: bigint | undefined;
  /**
   * Address of the exchange's cold wallet, to which alone surplus may be sent; undefined if none is
   * configured.
   */
  readonly cold: string | undefined;
  /**
   * Maximum amounts of the chain's coin, in coins, that are sent as gas in one transfer to a deposit address,
   * and in all such transfers within 24 hours.
   */
  readonly gas: SigningLimit;
  /**
   * Maximum network fees, in the smallest unit, of one transaction and of all that are signed within 24
   * hours. A transaction counts with its units of gas at its maximum fee per unit.
   */
  readonly fees: FeeLimit;
}

type PaymentRequest = SigningRequest | ColdRequest | DepositRequest;

interface Parts extends SignerParts {
  readonly terms: SigningTerms;
  readonly wallet: PaymentKey;
  /** The key from which the keys of deposit addresses are derived; undefined if deposit addresses are not swept. */
  readonly deposits: HDNodeWallet | undefined;
  readonly journal: SigningJournal;
}

/**
 * Signs approved payments with the wallet's private key, and sweeps with the keys of deposit addresses, each origin
 * (payment id) once and within the signer's own limits. It builds the transaction itself and writes the signed payment
 * to disk before it answers.
 */
export class Signer extends LineSigner {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    super(parts, LINE_MAX);
    this.parts = parts;
  }

  protected override answer(body: unknown): Promise<unknown> {
    const request = anyRequest.parse(body);
    return 'asset' in request ? this.sign(request) : this.variants(request);
  }

  get address(): string {
    return this.parts.wallet.address;
  }

  /**
   * Returns the signed transaction of a payment, or the reason why the payment is refused. If the payment was signed
   * before, that is its first transaction. A voided payment, and one with other details than before, is refused. The
   * nonce may be higher than the requested one.
   */
  async sign(request: PaymentRequest): Promise<SigningAnswer> {
    const { journal, now, terms } = this.parts;
    const digest = digestOf(request);
    const entries = journal.find(request.origin);
    if (entries.some(({ kind }) => kind === 'void')) return { refused: 'the payment was voided' };
    const [earlier] = entries;
    if (earlier !== undefined && earlier.digest !== digest)
      return { refused: 'another payment was signed under this name' };
    if (earlier !== undefined) {
      const { raw, nonce } = await this.completed(entries);
      return { raw, nonce };
    }
    const reason = this.problemOf(request);
    if (reason !== undefined) return { refused: reason };
    const index = request.kind === 'sweep' ? request.index : undefined;
    const account = this.accountOf(index);
    const nonce = Math.max(
      request.nonce,
      index === undefined ? journal.nextNonce : journal.nextNonceOf(index),
    );
    const transaction = Transaction.from({
      chainId: terms.chainId,
      nonce,
      gasLimit: BigInt(request.gasLimit),
      ...this.priceOf(request),
      ...this.contentsOf(request),
    });
    const { kind, origin, asset, amount } = request;
    const entry: Signed = {
      origin,
      digest,
      asset,
      amount,
      nonce,
      at: now(),
      raw: transaction.unsignedSerialized,
    };
    if (index !== undefined) entry.index = index;
    const fee = costOf(request).toString();
    // If the key is in another process, that process may sign although its answer does not arrive. So the intent is
    // stored first. The keys of deposit addresses are always in this process.
    if (account.isRemote === true && kind !== 'sweep') journal.add({ ...entry, fee, kind: INTENTS[kind] });
    const signed: Signed = { ...entry, raw: await account.signTransaction(transaction) };
    if (kind !== 'pay') signed.kind = kind;
    // If an intent was recorded, its entry already contains the fee, which must not count twice towards the
    // fees of 24 hours.
    if (account.isRemote !== true || kind === 'sweep') signed.fee = fee;
    journal.add(signed);
    return { raw: signed.raw, nonce };
  }

  /**
   * Returns the first signed transaction of a payment, from all its journal entries. If there is only an
   * intent, whose signature was lost or never made, it is signed now as it was recorded, with the same nonce.
   */
  private async completed(entries: readonly Signed[]): Promise<Signed> {
    const { wallet, journal, now } = this.parts;
    const signed = entries.find((entry) => !isIntent(entry));
    if (signed !== undefined) return signed;
    const { kind: intended, raw: unsigned, origin, digest, asset, amount, nonce } = entries[0]!;
    const completed: Signed = {
      origin,
      digest,
      asset,
      amount,
      nonce,
      at: now(),
      raw: await wallet.signTransaction(Transaction.from(unsigned)),
    };
    if (intended === INTENTS.cold) completed.kind = 'cold';
    if (intended === INTENTS.gas) completed.kind = 'gas';
    journal.add(completed);
    return completed;
  }

  /**
   * Returns the recipient (`to`), value and call data of a payment's transaction. A payment of a token is a
   * call of the token's contract. A sweep pays to the account of the signer's key.
   */
  private contentsOf(request: PaymentRequest): { to: string; value: bigint; data: string } {
    const { wallet, terms } = this.parts;
    const { contract, digits } = terms.assets.get(request.asset)!;
    const units = Decimal.parse(request.amount).toScaled(digits);
    const receiver = request.kind === 'sweep' ? wallet.address : request.address;
    if (contract !== undefined) return { to: contract, value: 0n, data: transferData(receiver, units) };
    return { to: receiver, value: units, data: request.kind === 'gas' ? GAS_TAG : '0x' };
  }

  /**
   * Returns the key of the hot wallet, or of the deposit address with this derivation index. Throws if an
   * index is given but no keys of deposit addresses are configured.
   */
  private accountOf(index: number | undefined): PaymentKey {
    const { wallet, deposits } = this.parts;
    if (index === undefined) return wallet;
    if (deposits === undefined) throw new Error('no keys of deposit addresses are configured');
    return deposits.deriveChild(index);
  }

  /** Finds, replaces or voids a payment. Returns all its signed transactions, or the reason for a refusal. */
  async variants(request: VariantRequest): Promise<VariantAnswer> {
    const { journal, terms } = this.parts;
    const { kind, origin, chainId } = request;
    if (chainId !== terms.chainId) return { refused: `chain ${chainId} is not ${terms.chainId}` };
    const entries = journal.find(origin);
    if (kind === 'find') return answerOf(entries);
    const isOnlyIntended = entries.length > 0 && entries.every(isIntent);
    // The process with the key may already have signed the intent. So the intent is signed again, and then voided like
    // any payment.
    if (isOnlyIntended && kind === 'void') return this.voidIntended(request, await this.completed(entries));
    const signed = entries.filter((entry) => !isIntent(entry));
    const [first] = signed;
    if (first?.index !== undefined && this.parts.deposits === undefined)
      return { refused: 'no keys of deposit addresses are configured here' };
    const isVoided = signed.some((entry) => entry.kind === 'void');
    if (first === undefined || first.raw === '') {
      if (kind === 'replace') return { refused: 'nothing was signed under this name' };
      if (first === undefined) this.forbid(origin);
      return answerOf(journal.find(origin));
    }
    if (kind === 'replace' && isVoided) return { refused: 'the payment was voided' };
    const earlier = Transaction.from(signed.at(-1)!.raw);
    const cost = this.variantCost(first, request);
    // The intents among `entries` are needed here, because an intent contains the fee that the payment's
    // first transaction has added.
    const added = addedFee(cost, entries);
    const problem =
      raiseProblem(request, earlier, { feeMax: terms.feeMax, count: signed.length }) ??
      this.feeProblemOf(cost, added);
    // A repeated void that may not sign a further transaction, e.g. because its fees are not a tenth higher
    // than before, is answered with the transactions that were signed earlier.
    if (kind === 'void' && isVoided && problem !== undefined) return answerOf(signed);
    if (problem !== undefined) return { refused: problem };
    await this.signVariant(first, request, added);
    return answerOf(journal.find(origin));
  }

  /**
   * Voids a payment whose first transaction the exchange does not know. The fees of the request are raised, if
   * necessary, to the minimum at which nodes let the void replace that transaction.
   */
  private async voidIntended(
    request: Exclude<VariantRequest, { kind: 'find' }>,
    first: Signed,
  ): Promise<VariantAnswer> {
    const { maxFee, tip } = feesOf(Transaction.from(first.raw));
    const raised = (fee: string, earlier: bigint) => {
      const least = (earlier * RAISE_PERCENT + PERCENT - 1n) / PERCENT;
      return (BigInt(fee) > least ? BigInt(fee) : least).toString();
    };
    return this.variants({
      ...request,
      maxFeePerGas: raised(request.maxFeePerGas, maxFee),
      maxPriorityFeePerGas: raised(request.maxPriorityFeePerGas, tip),
    });
  }

  /** Records in the journal that nothing was signed for this payment id and that nothing must ever be signed. */
  private forbid(origin: string): void {
    const { journal, now } = this.parts;
    journal.add({ origin, digest: '', asset: '', amount: '0', nonce: -1, at: now(), raw: '', kind: 'void' });
  }

  /**
   * Signs a transaction with the nonce of a payment's first one, and writes it to the journal: either the
   * same payment with other fees, or a transfer of nothing that voids it. `added` is what its fee adds to the
   * network fees of the last 24 hours, in wei.
   */
  private async signVariant(
    first: Signed,
    request: Exclude<VariantRequest, { kind: 'find' }>,
    added: bigint,
  ): Promise<void> {
    const { kind } = request;
    const { journal, now, terms } = this.parts;
    const { to, value, data, nonce } = Transaction.from(first.raw);
    const isVoid = kind === 'void';
    const account = this.accountOf(first.index);
    const raw = await account.signTransaction({
      chainId: terms.chainId,
      nonce,
      ...this.priceOf(request),
      to: isVoid ? account.address : to,
      value: isVoid ? 0n : value,
      data: isVoid ? '0x' : data,
      gasLimit: this.variantGas(first, kind),
    });
    const { origin, digest, asset, amount, index } = first;
    const entry: Signed = { origin, digest, asset, amount, nonce, at: now(), raw, kind };
    if (index !== undefined) entry.index = index;
    if (added > 0n) entry.fee = added.toString();
    journal.add(entry);
  }

  /**
   * Returns the units of gas of a replacement or void. They are those of the payment's first transaction,
   * except for a void if `voidGas` is configured.
   */
  private variantGas({ raw }: Signed, kind: 'replace' | 'void'): bigint {
    const { gasLimit } = Transaction.from(raw);
    return kind === 'void' ? (this.parts.terms.voidGas ?? gasLimit) : gasLimit;
  }

  /** Returns the greatest fee of a replacement or void, in wei. */
  private variantCost(
    first: Signed,
    { kind, maxFeePerGas }: Exclude<VariantRequest, { kind: 'find' }>,
  ): bigint {
    return this.variantGas(first, kind) * BigInt(maxFeePerGas);
  }

  /**
   * Returns the reason why a transaction is refused that can cost `fee` and adds `added` to the network fees
   * of the last 24 hours, both in wei; undefined if it is accepted.
   */
  private feeProblemOf(fee: bigint, added: bigint): string | undefined {
    const { terms, journal, now } = this.parts;
    return feeProblem(terms.fees, { fee, added, earlier: journal.fees.sumSince(now() - DAY_MS) });
  }

  /** Returns the transaction type and fee fields of a transaction, in the form of the chain's fee model. */
  private priceOf({
    maxFeePerGas,
    maxPriorityFeePerGas,
  }: Pick<SigningRequest, 'maxFeePerGas' | 'maxPriorityFeePerGas'>) {
    if (this.parts.terms.feeModel === 'legacy') return { type: 0, gasPrice: BigInt(maxFeePerGas) };
    return {
      type: 2,
      maxFeePerGas: BigInt(maxFeePerGas),
      maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas),
    };
  }

  private problemOf(request: PaymentRequest): string | undefined {
    if (request.kind === 'pay') return this.paymentProblem(request);
    return request.kind === 'cold' ? this.coldProblem(request) : this.depositProblem(request);
  }

  private paymentProblem(request: SigningRequest): string | undefined {
    const { terms, journal, now } = this.parts;
    const { asset } = request;
    const limit = terms.limits.get(asset);
    if (request.chainId !== terms.chainId) return this.termsProblem(request);
    if (!this.isConfirmed({ ...request, memo: request.memo, amount: Decimal.parse(request.amount) }))
      return 'the digest is not that of what the owner confirmed';
    if (limit === undefined) return `${asset} is not signed here`;
    const problem = this.termsProblem(request);
    if (problem !== undefined) return problem;
    const amount = Decimal.parse(request.amount);
    if (amount.isMore(limit.once))
      return `${request.amount} ${asset} are more than ${limit.once.toString()} at once`;
    const earlier = sum(journal.amountsSince(asset, now() - DAY_MS).map((text) => Decimal.parse(text)));
    if (earlier.plus(amount).isMore(limit.day))
      return `with ${request.amount} ${asset} more than ${limit.day.toString()} within a day`;
    return undefined;
  }

  /**
   * Returns the reason why a transfer to the cold wallet is refused; undefined if the transfer is accepted.
   * The transfer counts towards no limit, because the coins remain the exchange's.
   */
  private coldProblem(request: ColdRequest): string | undefined {
    const { terms } = this.parts;
    const { origin, address, amount } = request;
    if (terms.cold === undefined) return 'no cold wallet is configured here';
    if (address.toLowerCase() !== terms.cold.toLowerCase())
      return `${address} is not the cold wallet ${terms.cold}`;
    if (coldTransferId(origin) === undefined) return `${origin} is no transfer to the cold wallet`;
    if (!this.isApprovedTransfer({ ...request, amount: Decimal.parse(amount) }))
      return 'the digest is not that of what two operators approved';
    return this.termsProblem(request);
  }

  /**
   * Returns the reason why a transfer between a deposit address and the hot wallet is refused; undefined if
   * the transfer is accepted. Both accounts belong to this signer, so the transfer does not count towards the
   * limits of payments. Gas has a limit of its own.
   */
  private depositProblem(request: DepositRequest): string | undefined {
    const { terms, deposits, journal, now } = this.parts;
    const { kind, origin, index, address, asset, amount } = request;
    if (deposits === undefined) return 'no keys of deposit addresses are configured here';
    if (deposits.deriveChild(index).address.toLowerCase() !== address.toLowerCase())
      return `${address} is not the deposit address ${index}`;
    if (sweepOf(origin) === undefined || !origin.startsWith(`${kind} `))
      return `${origin} is not the name of a ${kind} transfer`;
    const problem = this.termsProblem(request);
    if (problem !== undefined || kind === 'sweep') return problem;
    if (terms.assets.get(asset)!.contract !== undefined) return `${asset} pays for no gas`;
    const { once, day } = terms.gas;
    if (Decimal.parse(amount).isMore(once))
      return `${amount} ${asset} of gas are more than ${once.toString()}`;
    const earlier = sum(journal.amountsSince('gas', now() - DAY_MS).map((text) => Decimal.parse(text)));
    if (earlier.plus(Decimal.parse(amount)).isMore(day))
      return `with ${amount} ${asset} of gas more than ${day.toString()} within a day`;
    return undefined;
  }

  /**
   * Returns the reason why chain, network, asset, amount, gas limit, fee per gas or network fee of a payment
   * is refused; undefined if all are accepted.
   */
  private termsProblem(request: PaymentRequest): string | undefined {
    const { terms } = this.parts;
    const { asset, chainId, network } = request;
    const assetTerms = terms.assets.get(asset);
    if (chainId !== terms.chainId) return `chain ${chainId} is not ${terms.chainId}`;
    if (network !== terms.network) return `${network} is not ${terms.network}`;
    if (assetTerms === undefined) return `${asset} is not signed here`;
    const amount = Decimal.parse(request.amount);
    if (!amount.isPositive() || !amount.fits(assetTerms.digits))
      return `${request.amount} is no amount of ${asset}`;
    if (BigInt(request.gasLimit) > terms.gasMost) return `${request.gasLimit} is too much gas`;
    if (BigInt(request.maxFeePerGas) > terms.feeMax)
      return `${request.maxFeePerGas} wei are too much for gas`;
    return this.feeProblemOf(costOf(request), costOf(request));
  }
}

/** Returns the greatest fee that a payment's transaction can cost, in wei. */
function costOf({ gasLimit, maxFeePerGas }: Pick<SigningRequest, 'gasLimit' | 'maxFeePerGas'>): bigint {
  return BigInt(gasLimit) * BigInt(maxFeePerGas);
}

/**
 * Returns whether a journal entry contains an unsigned transaction, written before a key in another process
 * signs.
 */
function isIntent({ kind }: Signed): boolean {
  return kind === INTENTS.pay || kind === INTENTS.cold || kind === INTENTS.gas;
}

function answerOf(signed: readonly Signed[]): VariantAnswer {
  return {
    signed: signed
      .filter((entry) => entry.raw !== '' && !isIntent(entry))
      .map(({ raw, kind }) => ({ raw, isVoid: kind === 'void' })),
    isVoided: signed.some(({ kind }) => kind === 'void'),
  };
}

/**
 * Returns the reason why a transaction with these fees may not replace the earlier one, or why the payment
 * has too many transactions (`count`, see `VARIANTS_MAX`); undefined if the transaction may replace it.
 */
function raiseProblem(
  fees: Exclude<VariantRequest, { kind: 'find' }>,
  earlier: Transaction,
  { feeMax, count }: { readonly feeMax: bigint; readonly count: number },
): string | undefined {
  const [maxFee, tip] = [BigInt(fees.maxFeePerGas), BigInt(fees.maxPriorityFeePerGas)];
  const before = feesOf(earlier);
  const isHigher = (fee: bigint, earlierFee: bigint) => fee * PERCENT >= earlierFee * RAISE_PERCENT;
  if (maxFee > feeMax) return `${maxFee} wei are too much for gas`;
  if (tip > maxFee) return `a tip of ${tip} wei is more than ${maxFee}`;
  if (!isHigher(maxFee, before.maxFee) || !isHigher(tip, before.tip))
    return 'the fees are not a tenth higher than before';
  if (count >= VARIANTS_MAX[fees.kind]) return `${count} transactions were signed under this name`;
  return undefined;
}

function digestOf(request: PaymentRequest): string {
  const { kind, chainId, asset, address, amount } = request;
  const payment: (string | number)[] = [
    chainId,
    asset,
    address.toLowerCase(),
    Decimal.parse(amount).toString(),
  ];
  if (kind === 'sweep' || kind === 'gas') payment.push(kind, request.index);
  return createHash('sha256').update(JSON.stringify(payment)).digest('hex');
}
