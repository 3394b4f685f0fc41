import { termsVersionProblem, type AcceptsVersion } from '@exchange/core/agreements.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { isCovered, offerChangeProblem, purchaseProblem } from '@exchange/core/finance.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import * as z from 'zod/mini';
import type { SqlCommand } from '../../platform/sequencer/command.ts';
import { decimal, idOf, instantField } from '../../platform/sequencer/input-fields.ts';
import type { SqlStep } from '../../platform/sequencer/step.ts';
import type { Coin } from '../assets/index.ts';
import {
  houseAddress,
  Quotas,
  userAddress,
  worldAddress,
  type Address,
  type Ledger,
} from '../ledger/index.ts';
import { hasTerms, onSale, type EarnOrder, type EarnProduct, type EarnTerms } from './domain.ts';
import { requireRoom } from '../../platform/console/field-values.ts';
import type { EarnKind } from './kind.ts';

const id = idOf<string>();
const owner = idOf<UserId>();
export const fundInput = z.object({ asset: z.string(), wanted: decimal, from: z.enum(['demo', 'fees']) });
export const buyInput = z.object({
  owner,
  product: id,
  amount: decimal,
  agreed: z.boolean(),
  agreementVersion: z.string(),
  /** The version of the product's terms that the buyer saw; undefined if the client did not send it. */
  version: z.optional(z.int()),
  /**
   * Set only for purchases of the demo's savers and trader; undefined for users. `origin` is the unique key of the
   * order, so that it is placed only once; `since` is an earlier time at which the purchase is to count.
   */
  house: z.optional(z.object({ origin: z.string(), since: instantField })),
});
/** Orders, each with the number of the day (the first day is 1) whose earnings are to be credited. */
export const daysInput = z.object({ orders: z.array(z.object({ id, owner, day: z.int() })) });
export const orderInput = z.object({ owner, id });

export interface PublishInput<Terms extends EarnTerms> {
  readonly terms: Terms;
  readonly by: string;
  readonly reason: string;
  /**
   * True if the terms must not exceed the highest values that the rules permit; undefined in journal steps that are
   * older than this rule.
   */
  readonly underCeilings?: true | undefined;
  /** Greatest number of products that may exist; undefined in journal steps that are older than this limit. */
  readonly most?: number | undefined;
}

/** The commands that finance and mining have in common. */
export interface EarnCommands<Terms extends EarnTerms> {
  readonly publish: SqlCommand<PublishInput<Terms>, ReturnType<typeof productAnswer>>;
  readonly fund: SqlCommand<z.infer<typeof fundInput>, { asset: string; funded: string }>;
  readonly buy: SqlCommand<z.infer<typeof buyInput>, ReturnType<typeof purchaseAnswer>>;
}

interface StepParts {
  readonly ledger: Ledger;
  readonly coins: readonly Coin[];
  readonly accepts: AcceptsVersion;
}

/** What the commands of finance and mining have in common; each method runs inside a step of the sequencer. */
export class EarnSteps<Terms extends EarnTerms> {
  private readonly kind: EarnKind<Terms>;
  private readonly parts: StepParts;
  private readonly quotas: Quotas;
  private readonly payer: Address;
  private readonly digits: ReadonlyMap<string, number>;

  constructor(kind: EarnKind<Terms>, parts: StepParts) {
    this.kind = kind;
    this.parts = parts;
    this.quotas = new Quotas(parts.ledger, kind.name);
    this.payer = houseAddress(kind.payer);
    this.digits = new Map(parts.coins.map(({ code, digits }) => [code, digits]));
  }

  /**
   * Publishes a product or the next version of its terms; publishing the current terms again changes nothing. Refuses
   * terms that cannot be published, and a new product if `most` products exist.
   */
  async publish(step: SqlStep, { terms, by, reason, underCeilings, most }: PublishInput<Terms>) {
    const { name, rows, termsProblem, ceilingProblem } = this.kind;
    const ceilingRefusal = underCeilings === true ? ceilingProblem(terms) : undefined;
    const problem = ceilingRefusal ?? termsProblem(terms, this.digitsOf(terms.asset));
    if (problem !== undefined) throw new Refused(problem);
    const published = await rows.findProduct(step.sql, { code: terms.code });
    if (published !== undefined && hasTerms(published, terms)) return productAnswer(published);
    const changeRefusal = offerChangeProblem(published, terms);
    if (changeRefusal !== undefined) throw new Refused(changeRefusal);
    if (published === undefined && most !== undefined)
      requireRoom((await rows.everyProduct(step.sql)).length, most);
    const product = { ...terms, id: published?.id ?? step.newId(), version: (published?.version ?? 0) + 1 };
    this.quotas.publish(step, `${name}.published`, product, published?.capacity ?? Decimal.zero);
    await rows.saveProduct(step.sql, product, { by, reason, now: step.now });
    return productAnswer(product);
  }

  /**
   * Raises the balance of a coin's paying account to `wanted`; does nothing if the balance is not lower. Refuses,
   * instead of paying a part, if the amount comes from the collected fees and these are too low.
   */
  fund(step: SqlStep, { asset, wanted, from }: z.infer<typeof fundInput>) {
    const { ledger } = this.parts;
    const destination = this.payer;
    const amount = wanted.minus(ledger.balance(destination, asset));
    const source = from === 'demo' ? worldAddress(asset, 'demo') : houseAddress('fees');
    const limit = ledger.balance(source, asset);
    if (from === 'fees' && amount.isMore(limit)) {
      const details = { limit: limit.toString(), value: amount.toString(), unit: asset };
      throw new Refused(refusal('insufficientBalance', 'l.insufficient_balance', details));
    }
    if (amount.isPositive())
      ledger.post(step, `${this.kind.name}.funded`, null, [{ source, destination, asset, amount }]);
    return Promise.resolve({ asset, funded: ledger.balance(destination, asset).toString() });
  }

  /**
   * Returns the product of a purchase. Refuses an unknown product, another version of the terms than the buyer saw, an
   * agreement that was not accepted in the current version, a product that is not on sale or whose earnings the reserve
   * does not cover, and an amount beyond its limits, the remaining capacity or the buyer's balance.
   */
  async productFor(step: SqlStep, purchase: z.infer<typeof buyInput>): Promise<EarnProduct<Terms>> {
    const { kind, quotas, payer } = this;
    const { ledger, accepts } = this.parts;
    const { owner: buyer, amount, agreed, agreementVersion } = purchase;
    const product = await kind.rows.findProduct(step.sql, { id: purchase.product });
    if (product === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    const versionRefusal = termsVersionProblem(purchase.version, product.version);
    if (versionRefusal !== undefined) throw new Refused(versionRefusal);
    if (!agreed || !accepts(agreementVersion)) {
      const details = { limit: kind.agreementVersion, value: agreed ? agreementVersion : '0' };
      throw new Refused(
        refusal('invalidField', 'l.finance_agreement', { field: 'agreementVersion', ...details }),
      );
    }
    const { asset, dailyRate, maxAmount } = product;
    const running = (await kind.rows.running(step.sql)).get(asset) ?? Decimal.zero;
    const rate = { period: kind.daysOf(product), dailyRate };
    const sale = onSale(product, this.digitsOf(asset), {
      remaining: quotas.remaining(product.id),
      isCovered: isCovered(ledger.balance(payer, asset), running, rate, amount),
    });
    const buyerLimits = {
      userRemaining: maxAmount.minus(quotas.used(buyer, product.id)),
      available: ledger.balance(userAddress(buyer, 'spot', 'available'), asset),
    };
    const problem = purchaseProblem(sale, amount, buyerLimits, step.now);
    if (problem !== undefined) throw new Refused(problem);
    return product;
  }

  private digitsOf(asset: string): number {
    return this.digits.get(asset) ?? 0;
  }
}

/**
 * The answer to a purchase: id, start and end of the order, and its expected total earnings in the coin in
 * which they are paid.
 */
export function purchaseAnswer({ id: orderId, startAt, endAt }: EarnOrder, total: Decimal) {
  return { orderId, startTime: startAt, endTime: endAt, expectProfit: total.toString() };
}

function productAnswer({ id: product, code, version }: EarnProduct<EarnTerms>) {
  return { id: product, code, version };
}
