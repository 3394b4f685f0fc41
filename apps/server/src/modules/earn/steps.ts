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
  /** Of the terms that the buyer was shown. */
  version: z.optional(z.int()),
  /** The house alone: the order's own name, and an earlier moment from which its term counts. */
  house: z.optional(z.object({ origin: z.string(), since: instantField })),
});
/** Orders of which a day, counted from 1, is to be credited. */
export const daysInput = z.object({ orders: z.array(z.object({ id, owner, day: z.int() })) });
/** One order of somebody's own. */
export const orderInput = z.object({ owner, id });

export interface PublishInput<Terms extends EarnTerms> {
  readonly terms: Terms;
  readonly by: string;
  readonly reason: string;
  /** Whether the ceilings of the rules hold; not set in steps from before there were any. */
  readonly underCeilings?: true | undefined;
  /** How many products there may be, a new one included; not set in steps from before the step itself counted them. */
  readonly most?: number | undefined;
}

/** The commands that every kind has, under names of its own. */
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

/** What the steps of every kind do alike. */
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

  /** Publishes a product, or the next version of its terms; the same terms again change nothing. */
  async publish(step: SqlStep, { terms, by, reason, underCeilings, most }: PublishInput<Terms>) {
    const { name, rows, termsProblem, ceilingProblem } = this.kind;
    const above = underCeilings === true ? ceilingProblem(terms) : undefined;
    const problem = above ?? termsProblem(terms, this.digitsOf(terms.asset));
    if (problem !== undefined) throw new Refused(problem);
    const present = await rows.findProduct(step.sql, { code: terms.code });
    if (present !== undefined && hasTerms(present, terms)) return productAnswer(present);
    const change = offerChangeProblem(present, terms);
    if (change !== undefined) throw new Refused(change);
    if (present === undefined && most !== undefined)
      requireRoom((await rows.everyProduct(step.sql)).length, most);
    const product = { ...terms, id: present?.id ?? step.newId(), version: (present?.version ?? 0) + 1 };
    this.quotas.publish(step, `${name}.published`, product, present?.capacity ?? Decimal.zero);
    await rows.saveProduct(step.sql, product, { by, reason, now: step.now });
    return productAnswer(product);
  }

  /** Fills the account that pays what orders of an asset earn up to an amount. */
  fund(step: SqlStep, { asset, wanted, from }: z.infer<typeof fundInput>) {
    const { ledger } = this.parts;
    const destination = this.payer;
    const amount = wanted.minus(ledger.balance(destination, asset));
    const source = from === 'demo' ? worldAddress(asset, 'demo') : houseAddress('fees');
    const limit = ledger.balance(source, asset);
    if (from === 'fees' && amount.isMore(limit)) {
      const about = { limit: limit.toString(), value: amount.toString(), unit: asset };
      throw new Refused(refusal('insufficientBalance', 'l.insufficient_balance', about));
    }
    if (amount.isPositive())
      ledger.post(step, `${this.kind.name}.funded`, null, [{ source, destination, asset, amount }]);
    return Promise.resolve({ asset, funded: ledger.balance(destination, asset).toString() });
  }

  /** The product that somebody buys; refuses a purchase that its present terms do not allow. */
  async bought(step: SqlStep, purchase: z.infer<typeof buyInput>): Promise<EarnProduct<Terms>> {
    const { kind, quotas, payer } = this;
    const { ledger, accepts } = this.parts;
    const { owner: buyer, amount, agreed, agreementVersion } = purchase;
    const product = await kind.rows.findProduct(step.sql, { id: purchase.product });
    if (product === undefined) throw new Refused(refusal('generic', 'l.not_found'));
    const outdated = termsVersionProblem(purchase.version, product.version);
    if (outdated !== undefined) throw new Refused(outdated);
    if (!agreed || !accepts(agreementVersion)) {
      const about = { limit: kind.agreementVersion, value: agreed ? agreementVersion : '0' };
      throw new Refused(
        refusal('invalidField', 'l.finance_agreement', { field: 'agreementVersion', ...about }),
      );
    }
    const { asset, dailyRate, maxAmount } = product;
    const running = (await kind.rows.running(step.sql)).get(asset) ?? Decimal.zero;
    const earns = { period: kind.daysOf(product), dailyRate };
    const sale = onSale(product, this.digitsOf(asset), {
      remaining: quotas.remaining(product.id),
      isCovered: isCovered(ledger.balance(payer, asset), running, earns, amount),
    });
    const own = {
      userRemaining: maxAmount.minus(quotas.used(buyer, product.id)),
      available: ledger.balance(userAddress(buyer, 'spot', 'available'), asset),
    };
    const problem = purchaseProblem(sale, amount, own, step.now);
    if (problem !== undefined) throw new Refused(problem);
    return product;
  }

  private digitsOf(asset: string): number {
    return this.digits.get(asset) ?? 0;
  }
}

/** What a buyer is answered: the order, and what it will have earned in all. */
export function purchaseAnswer({ id: orderId, startAt, endAt }: EarnOrder, total: Decimal) {
  return { orderId, startTime: startAt, endTime: endAt, expectProfit: total.toString() };
}

function productAnswer({ id: product, code, version }: EarnProduct<EarnTerms>) {
  return { id: product, code, version };
}
