import { isDeepStrictEqual } from 'node:util';
import { DAY_MS } from '@exchange/core/time.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import type { HDNodeWallet } from 'ethers';
import { NO_PACKAGE, packageRate, packageWith, type FeePackage } from '@exchange/core/utxo-package.ts';
import { UTXO_DIGITS, type UtxoNetwork } from '@exchange/core/utxo-network.ts';
import {
  BRANCH,
  bytesOf,
  CHANGE_INDEX,
  type AddressCodec,
  type Branch,
  type Place,
} from '../utxo/scripts.ts';
import {
  planTransaction,
  vbytesOf,
  type MadeOutput,
  type SpentOutput,
  type TransactionPlan,
} from '@exchange/core/utxo-transaction.ts';
import {
  readPrevious,
  readTransaction,
  signTransaction,
  type PreviousTransaction,
} from '../utxo/transactions.ts';
import { feeProblem, type FeeLimit } from './fee-limit.ts';
import { LineSigner, type SignerParts, type SigningLimit } from './line-signer.ts';
import type { BatchEntry, UtxoJournal } from './utxo-journal.ts';
import {
  CHILDREN_MAX,
  LEGACY_INPUTS_MAX,
  PREVIOUS_TOTAL_MAX,
  UTXO_LINE_MAX,
  utxoRequest,
  type BatchInput,
  type BatchPayment,
  type BatchRequest,
  type ChildRequest,
  type SignedBatch,
  type UtxoAnswer,
  type UtxoRequest,
} from './utxo-protocol.ts';

/**
 * Maximum number of transactions that are signed for one batch. An answer contains all of them and has at most
 * `UTXO_LINE_MAX` characters.
 */
const VARIANTS_MAX = 40;
/**
 * Number of transactions of a batch from which on a further transaction is signed only if it leaves out a further
 * payment. So a series of replacements that only raise the fee cannot use up all `VARIANTS_MAX` transactions and
 * prevent a payment from being left out and returned to its owner.
 */
const RAISED_MAX = 30;
const RATE_VBYTES = 1_000n;

export interface UtxoSigningTerms {
  readonly network: UtxoNetwork;
  /**
   * Maximum amounts of a payment and of all payments to the outside within 24 hours, in coins. If undefined,
   * nothing is paid to the outside.
   */
  readonly limit: SigningLimit | undefined;
  /** Maximum fee in the smallest unit per 1,000 virtual bytes. */
  readonly rateMax: bigint;
  /** Address of the exchange's cold wallet, the only receiver of surplus; undefined if none is configured. */
  readonly cold: string | undefined;
  readonly fees: FeeLimit;
}

interface Parts extends SignerParts {
  readonly terms: UtxoSigningTerms;
  /** Private key of the wallet account whose extended public key the exchange has. */
  readonly account: HDNodeWallet;
  readonly placeOf: (publicKey: Uint8Array) => Place;
  readonly codec: AddressCodec;
  readonly journal: UtxoJournal;
}

interface Refusal {
  readonly refused: string;
  readonly origins: string[];
  readonly batches: string[];
}

/**
 * Signs batches of approved payments with the private key of an account. It permits each payment, and each output to be
 * spent, in one batch only. All transactions of a batch spend the same outputs, so the chain executes at most one of
 * them. The signer builds the transactions itself and writes them to disk before it answers.
 */
export class UtxoSigner extends LineSigner {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    super(parts, UTXO_LINE_MAX);
    this.parts = parts;
  }

  protected override answer(body: unknown): Promise<unknown> {
    return this.answerTo(utxoRequest.parse(body));
  }

  /** The address of the signer's account that receives change and refills. */
  get address(): string {
    return this.placeAt(BRANCH.own, CHANGE_INDEX).address;
  }

  /** The users' first deposit address. An operator compares it with the one that the exchange derives. */
  get firstDepositAddress(): string {
    return this.placeAt(BRANCH.deposits, 0).address;
  }

  /** Answers a request with the signed batch (null if there is none), or with the reason for a refusal. */
  async answerTo(request: UtxoRequest): Promise<UtxoAnswer> {
    const { journal, now, terms } = this.parts;
    if (request.network !== terms.network.code)
      return refuse(`${request.network} is not ${terms.network.code}`);
    if (request.kind === 'batch') return this.signBatch(request);
    if (request.kind === 'replace') return this.replace(request);
    if (request.kind === 'child') return this.signChild(request);
    if (request.kind === 'read')
      return { batch: journal.find(request.batch) === undefined ? null : this.signedBatch(request.batch) };
    const { origin } = request;
    const batch = journal.batchOf(origin);
    if (batch !== undefined) return { batch: this.signedBatch(batch) };
    if (request.kind === 'forbid' && !journal.isForbidden(origin))
      journal.add({ kind: 'forbid', origin, at: now() });
    return { batch: null };
  }

  private async signBatch(request: BatchRequest): Promise<UtxoAnswer> {
    const { journal, now } = this.parts;
    const { batch, inputs, payments, fee } = request;
    const earlier = journal.find(batch);
    if (earlier !== undefined)
      return isDeepStrictEqual([earlier.first.inputs, earlier.first.payments], [inputs, payments])
        ? { batch: this.signedBatch(batch) }
        : refuse('another batch was signed under this name');
    const problem =
      this.inputsProblem(inputs) ??
      this.paymentsProblem(payments) ??
      this.changeProblem(request) ??
      (await this.amountsProblem(request));
    if (problem !== undefined) return problem;
    const plan = this.plan(inputs, payments, BigInt(fee));
    const planProblem = this.planProblem(plan, { added: plan?.fee ?? 0n });
    if (plan === undefined || planProblem !== undefined) return refuse(planProblem ?? '');
    const raw = await this.sign(inputs, plan);
    journal.add({ kind: 'batch', batch, at: now(), inputs, payments, fee: plan.fee.toString(), raw });
    return { batch: this.signedBatch(batch) };
  }

  /**
   * Signs a child of a batch (child pays for parent). The child needs no approval of a payment, because it pays only
   * the own address. What it spends is read from the transaction that this signer has signed itself, and not from the
   * request. Its fee is bounded by the fee per byte of all transactions from the batch of payments down to the child,
   * and the number of children by `CHILDREN_MAX`, so that a batch and its children never cost more than a transaction
   * of their size may.
   */
  private async signChild(request: ChildRequest): Promise<UtxoAnswer> {
    const { journal, now, terms } = this.parts;
    const { batch, parent, txid, fee } = request;
    const earlier = journal.find(batch)?.first;
    if (earlier !== undefined)
      return earlier.parent === parent && earlier.inputs[0]?.txid === txid
        ? { batch: this.signedBatch(batch) }
        : refuse('another batch was signed under this name');
    // Before a transaction without witness is in a block, anybody can change its id, which makes its children invalid.
    // So no children are signed on networks without segregated witness.
    if (terms.network.script !== 'wpkh') return refuse(`${terms.network.code} has no children`);
    const signed = journal.find(parent);
    const spent = signed && (await this.transactionOf(parent, txid));
    if (signed === undefined || spent === undefined)
      return refuse(`the batch ${parent} has no transaction ${txid}`);
    const left = (signed.replacements.at(-1)?.without ?? []).filter(
      (origin) => !spent.without.includes(origin),
    );
    if (left.length > 0) return refuse('the transaction makes payments that a later one leaves out', left);
    if (spent.change === undefined) return refuse(`the transaction ${txid} has no change`);
    const problem = this.inputsProblem([spent.change]) ?? this.changeProblem(request);
    if (problem !== undefined) return problem;
    if (this.familySize(signed.first) >= CHILDREN_MAX)
      return refuse(`${CHILDREN_MAX} children were signed for this batch`);
    const inputs = [spent.change];
    const plan = this.plan(inputs, [], BigInt(fee));
    if (plan === undefined) return refuse('the change does not pay the fee');
    const planProblem = this.planProblem(plan, {
      added: plan.fee,
      ancestors: packageWith(await this.ancestorsOf(signed.first), spent),
    });
    if (planProblem !== undefined) return refuse(planProblem);
    const raw = await this.sign(inputs, plan);
    journal.add({
      kind: 'batch',
      batch,
      parent,
      at: now(),
      inputs,
      payments: [],
      fee: plan.fee.toString(),
      raw,
    });
    return { batch: this.signedBatch(batch) };
  }

  /**
   * Returns the left-out payments, the fee, the size in virtual bytes and the change (undefined if there is
   * none) of the signed transaction `txid` of a batch; undefined if no transaction of the batch has this id.
   */
  private async transactionOf(batch: string, txid: string) {
    const { payments, inputs, variants } = this.signedBatch(batch);
    for (const { raw, fee, without } of variants) {
      const transaction = await readTransaction(raw);
      if (transaction.txid !== txid) continue;
      // The outputs are the payments in their order, and then the change if there is any.
      const vout = payments.length - without.length;
      const change = transaction.outputs[vout];
      return {
        without,
        fee: BigInt(fee),
        vbytes: vbytesOf(
          inputs.length,
          transaction.outputs.map(({ script }) => script),
          this.parts.terms.network.script,
        ),
        change: change && {
          txid,
          vout,
          units: change.units.toString(),
          branch: BRANCH.own,
          index: CHANGE_INDEX,
          address: this.address,
        },
      };
    }
    return undefined;
  }

  /**
   * Returns the total fee, in the smallest unit, and the total size, in virtual bytes, of the transactions
   * that a child batch depends on, from the batch of payments to the child's parent; zero for a batch of
   * payments.
   */
  private async ancestorsOf({ parent, inputs }: BatchEntry): Promise<FeePackage> {
    if (parent === undefined) return NO_PACKAGE;
    const spent = await this.transactionOf(parent, inputs[0]!.txid);
    return packageWith(await this.ancestorsOf(this.parts.journal.find(parent)!.first), spent!);
  }

  /**
   * Returns the number of child batches, and children of these, below the batch of payments from which a
   * batch descends.
   */
  private familySize({ batch, parent }: BatchEntry): number {
    const { journal } = this.parts;
    if (parent !== undefined) return this.familySize(journal.find(parent)!.first);
    const below = (each: string): number =>
      journal.childrenOf(each).reduce((total, child) => total + 1 + below(child), 0);
    return below(batch);
  }

  private async replace(request: Extract<UtxoRequest, { kind: 'replace' }>): Promise<UtxoAnswer> {
    const { journal, now } = this.parts;
    const { batch, fee } = request;
    const earlier = journal.find(batch);
    if (earlier === undefined) return refuse('no batch was signed under this name');
    const { first, replacements } = earlier;
    const last = replacements.at(-1);
    // A payment that an earlier replacement omitted is omitted again, because its amount may have been returned to its
    // owner.
    const without = [...new Set([...(last?.without ?? []), ...request.without])];
    const unknown = without.filter((origin) => !first.payments.some((payment) => payment.origin === origin));
    if (unknown.length > 0) return refuse('the batch has no such payments', unknown);
    const leavesOutMore = without.length > (last?.without.length ?? 0);
    const most = leavesOutMore ? VARIANTS_MAX : RAISED_MAX;
    if (replacements.length + 1 >= most) return refuse(`${most} transactions were signed for this batch`);
    const payments = first.payments.filter(({ origin }) => !without.includes(origin));
    const plan = this.plan(first.inputs, payments, BigInt(fee));
    const before = BigInt(last?.fee ?? first.fee);
    const added = plan === undefined || plan.fee < before ? 0n : plan.fee - before;
    const planProblem = this.planProblem(plan, { added, ancestors: await this.ancestorsOf(first) });
    if (plan === undefined || planProblem !== undefined) return refuse(planProblem ?? '');
    const raise = (this.parts.terms.network.relayRate * BigInt(plan.vbytes)) / RATE_VBYTES;
    if (plan.fee < before + raise) return refuse(`a fee of ${plan.fee} does not replace one of ${before}`);
    const raw = await this.sign(first.inputs, plan);
    journal.add({
      kind: 'replace',
      batch,
      at: now(),
      fee: plan.fee.toString(),
      raise: added.toString(),
      without,
      raw,
    });
    return { batch: this.signedBatch(batch) };
  }

  private inputsProblem(inputs: readonly BatchInput[]): Refusal | undefined {
    const { journal } = this.parts;
    const names = new Set(inputs.map(({ txid, vout }) => `${txid}:${vout}`));
    if (names.size !== inputs.length) return refuse('an output is spent twice');
    for (const { txid, vout, branch, index, address } of inputs) {
      const own = this.placeAt(branch, index).address;
      if (own !== address) return refuse(`${address} is not the address ${branch}/${index}, which is ${own}`);
      // Only one of two batches that spend the same output can be executed, so the payments of the other would not be
      // made.
      const spender = journal.spenderOf(txid, vout);
      if (spender !== undefined)
        return refuse(`${txid}:${vout} was spent by the batch ${spender}`, [], [spender]);
    }
    return undefined;
  }

  /**
   * Returns the problem of the inputs' amounts on a network without segregated witness; undefined if there is
   * none. The amounts and scripts are read from the transactions that made the outputs, and these
   * transactions must have the ids that the signatures cover, so a false amount of the exchange is found.
   * Other networks need no such proof.
   */
  private async amountsProblem({ inputs, previous = [] }: BatchRequest): Promise<Refusal | undefined> {
    if (this.parts.terms.network.script === 'wpkh') return undefined;
    if (inputs.length > LEGACY_INPUTS_MAX)
      return refuse(
        `${inputs.length} outputs are more than the ${LEGACY_INPUTS_MAX} that a batch spends here`,
      );
    const bytes = previous.reduce((total, { raw }) => total + raw.length / 2, 0);
    if (bytes > PREVIOUS_TOTAL_MAX)
      return refuse(`${bytes} bytes of previous transactions are more than ${PREVIOUS_TOTAL_MAX}`);
    const made = new Map<string, PreviousTransaction>();
    for (const { txid, raw } of previous) {
      let read: PreviousTransaction;
      try {
        read = await readPrevious(raw);
      } catch {
        return refuse(`the previous transaction ${txid} is no transaction`);
      }
      if (read.txid !== txid) return refuse(`the previous transaction ${txid} has the id ${read.txid}`);
      made.set(txid, read);
    }
    // The addresses are those that the signer derives: `inputsProblem` has compared them.
    for (const { txid, vout, units, branch, index, address } of inputs) {
      const transaction = made.get(txid);
      if (transaction === undefined) return refuse(`the previous transaction ${txid} is missing`);
      const output = transaction.outputs[vout];
      if (output === undefined) return refuse(`the transaction ${txid} has no output ${vout}`);
      if (output.script !== this.parts.codec.scriptOf(address))
        return refuse(`${txid}:${vout} is not at the address ${branch}/${index}`);
      if (output.units !== BigInt(units))
        return refuse(`${txid}:${vout} holds ${output.units}, not ${units}`);
    }
    return undefined;
  }

  private paymentsProblem(payments: readonly BatchPayment[]): Refusal | undefined {
    const { journal, terms, now, codec } = this.parts;
    const origins = payments.map(({ origin }) => origin);
    if (new Set(origins).size !== origins.length) return refuse('a payment is in the batch twice');
    const failing = (text: string, isFailing: (payment: BatchPayment) => boolean): Refusal | undefined => {
      const named = payments.filter(isFailing).map(({ origin }) => origin);
      const batches = named.flatMap((origin) => journal.batchOf(origin) ?? []);
      return named.length === 0 ? undefined : refuse(`${text}: ${named[0]}`, named, batches);
    };
    const { limit, network } = terms;
    const problem =
      failing('paid by another batch', ({ origin }) => journal.batchOf(origin) !== undefined) ??
      failing('the payment was voided', ({ origin }) => journal.isForbidden(origin)) ??
      failing('no address of the network', ({ address }) => codec.scriptOf(address) === undefined) ??
      failing('an amount below dust', ({ units }) => BigInt(units) < network.dust) ??
      failing('not what was confirmed or approved', (payment) => !this.isApproved(payment)) ??
      failing(
        'more than is signed at once',
        ({ kind, units }) =>
          kind === 'pay' && (limit === undefined || coins(BigInt(units)).isMore(limit.once)),
      );
    if (problem !== undefined || limit === undefined) return problem;
    const beyond = beyondSum(payments, limit.day.minus(coins(journal.paidSince(now() - DAY_MS))));
    return failing(`more than ${limit.day} ${network.code} within a day`, ({ origin }) => beyond.has(origin));
  }

  private changeProblem({ change }: Pick<BatchRequest, 'change'>): Refusal | undefined {
    return change === this.address ? undefined : refuse(`${change} is not the own address ${this.address}`);
  }

  /**
   * Returns why a planned transaction is not signed; undefined if it may be signed. The bound of the fee per
   * byte applies to the transaction together with its `ancestors`: a child may pay more for itself, because
   * it pays for its parent. The limits of fees apply to the transaction alone, of whose fee `added` counts
   * towards the fees of the last 24 hours.
   */
  private planProblem(
    plan: TransactionPlan | undefined,
    { added, ancestors = NO_PACKAGE }: { readonly added: bigint; readonly ancestors?: FeePackage },
  ): string | undefined {
    const { terms, journal, now } = this.parts;
    if (plan === undefined) return 'the outputs do not pay the payments and the fee';
    const rate = packageRate(packageWith(ancestors, plan));
    return rate > terms.rateMax
      ? `a fee of ${rate} per 1,000 bytes is more than ${terms.rateMax}`
      : feeProblem(terms.fees, { fee: plan.fee, added, earlier: journal.fees.sumSince(now() - DAY_MS) });
  }

  /**
   * Returns whether a payment has the digest of its owner's confirmation or of the approval of a return, or is an
   * approved transfer to the cold wallet in the signer's settings.
   */
  private isApproved(payment: BatchPayment): boolean {
    const { terms } = this.parts;
    const { origin, address, digest } = payment;
    const { code } = terms.network;
    const amount = coins(BigInt(payment.units));
    const fields = { origin, digest, network: code, asset: code, address, amount };
    if (payment.kind === 'cold') return address === terms.cold && this.isApprovedTransfer(fields);
    return this.isConfirmed({ ...fields, owner: payment.owner, memo: undefined });
  }

  private plan(
    inputs: readonly BatchInput[],
    payments: readonly BatchPayment[],
    fee: bigint,
  ): TransactionPlan | undefined {
    const { codec, terms } = this.parts;
    return planTransaction({
      network: terms.network,
      inputs: inputs.map(spentOutput),
      payments: payments.map(({ address, units }): MadeOutput => ({
        script: codec.scriptOf(address)!,
        units: BigInt(units),
      })),
      fee,
      change: this.placeAt(BRANCH.own, CHANGE_INDEX).script,
    });
  }

  /**
   * Signs the transaction of a plan. The amounts of `inputs` must have been verified as in `amountsProblem`. The
   * amounts of a batch in the journal were verified when the batch was first signed.
   */
  private sign(inputs: readonly BatchInput[], { outputs }: TransactionPlan): Promise<string> {
    const { network } = this.parts.terms;
    return signTransaction(network.script, inputs.map(spentOutput), outputs, ({ branch, index }) => {
      const { privateKey } = this.keyAt(branch, index);
      return { privateKey: bytesOf(privateKey.slice(2)), script: this.placeAt(branch, index).script };
    });
  }

  private signedBatch(batch: string): SignedBatch {
    const { first, replacements } = this.parts.journal.find(batch)!;
    const { inputs, payments, raw, fee, parent } = first;
    const children = this.parts.journal.childrenOf(batch);
    return {
      batch,
      parent,
      // The field is left out if there are no children, because an exchange of an earlier version would refuse an
      // answer with it. Such an exchange requests no children.
      children: children.length === 0 ? undefined : children,
      inputs,
      payments,
      variants: [
        { raw, fee, without: [] },
        ...replacements.map((each) => ({ raw: each.raw, fee: each.fee, without: each.without })),
      ],
    };
  }

  private keyAt(branch: Branch, index: number): HDNodeWallet {
    return this.parts.account.deriveChild(branch).deriveChild(index);
  }

  private placeAt(branch: Branch, index: number): Place {
    return this.parts.placeOf(bytesOf(this.keyAt(branch, index).publicKey.slice(2)));
  }
}

/**
 * Returns the ids (`origin`) of the payments to the outside that exceed the amount `left`, in coins, that may
 * still be paid. The payments are counted in their order, oldest first, and a payment that exceeds the
 * remaining amount is skipped. The caller can then have the other payments signed without these.
 */
function beyondSum(payments: readonly BatchPayment[], left: Decimal): ReadonlySet<string> {
  const beyond = new Set<string>();
  let rest = left;
  for (const { kind, origin, units } of payments) {
    if (kind !== 'pay') continue;
    const amount = coins(BigInt(units));
    if (amount.isMore(rest)) beyond.add(origin);
    else rest = rest.minus(amount);
  }
  return beyond;
}

function spentOutput({ txid, vout, units, branch, index }: BatchInput): SpentOutput {
  return { txid, vout, units: BigInt(units), branch, index };
}

function coins(units: bigint): Decimal {
  return Decimal.ofScaled(units, UTXO_DIGITS);
}

function refuse(refused: string, origins: readonly string[] = [], batches: readonly string[] = []): Refusal {
  return { refused, origins: [...origins], batches: [...new Set(batches)] };
}
