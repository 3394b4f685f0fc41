import { inForce, inItsTime, type AcceptsVersion, termsVersionProblem } from '@exchange/core/agreements.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import {
  dailyInterest,
  isCovered,
  purchaseProblem,
  termOf,
  offerChangeProblem,
} from '@exchange/core/finance.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import * as z from 'zod/mini';
import { sqlCommand } from '../../platform/sequencer/command.ts';
import { decimal, idOf, instantField, textByLocale } from '../../platform/sequencer/input-fields.ts';
import type { SqlStep } from '../../platform/sequencer/step.ts';
import type { Coin } from '../assets/index.ts';
import { worldAddress, type Ledger } from '../ledger/index.ts';
import {
  AGREEMENT_VERSION,
  accruedOf,
  daysDue,
  isWithdrawable,
  onSale,
  termsProblem,
  type FinanceOrder,
  type Product,
  type ProductTerms,
} from './domain.ts';
import { financeChanged } from './events.ts';
import { FinancePosts, HOUSE, interestFor, spotOf } from './posts.ts';
import {
  completeOrders,
  findProduct,
  insertOrder,
  leaveNotices,
  orderOfOrigin,
  ordersByIds,
  runningInterest,
  saveProduct,
} from './repository.ts';

const id = idOf<string>();
const owner = idOf<UserId>();
const terms = z.object({
  ...{ code: z.string(), name: textByLocale, source: textByLocale, asset: z.string(), period: z.int() },
  ...{ dailyRate: decimal, payMode: z.enum(['maturity', 'daily']), startAmount: decimal, maxAmount: decimal },
  ...{ capacity: decimal, isManual: z.boolean(), opensAt: instantField, closesAt: z.optional(instantField) },
  agreementVersion: z.string(),
});
const publishInput = z.object({ terms, by: z.string(), reason: z.string() });
const buyInput = z.object({
  ...{ owner, product: id, amount: decimal, agreed: z.boolean(), agreementVersion: z.string() },
  /** Of the terms that the buyer was shown. */
  version: z.optional(z.int()),
  /** The house alone: the order's own name, and an earlier moment from which its term counts. */
  house: z.optional(z.object({ origin: z.string(), since: instantField })),
});
const fundInput = z.object({ asset: z.string(), wanted: decimal, from: z.enum(['demo', 'fees']) });
const accrueInput = z.object({ orders: z.array(z.object({ id, owner, day: z.int() })) });
const payInput = z.object({ orders: z.array(z.object({ id, owner })) });
const withdrawInput = z.object({ owner, id });

/** What finance may do with these coins. */
export function financeCommands(
  ledger: Ledger,
  coins: readonly Coin[],
  accepts: AcceptsVersion = inForce(AGREEMENT_VERSION),
) {
  const scope = { accepts, ledger, digits: digitsOf(coins), post: new FinancePosts(ledger) };
  return { ...offerCommands(scope), ...buyCommands(scope), ...dayCommands(scope), ...payCommands(scope) };
}

interface Scope {
  readonly accepts: AcceptsVersion;
  readonly ledger: Ledger;
  /** Those in which a coin's amounts are kept, by its code. */
  readonly digits: (asset: string) => number;
  readonly post: FinancePosts;
}

/** What operators do: products and the money that their interest is paid from. */
function offerCommands({ ledger, digits, post }: Scope) {
  return {
    /** Publishes a product, or the next version of its terms; the same terms again change nothing. */
    publish: sqlCommand({
      name: 'finance.publish',
      input: publishInput,
      run: async (step, { terms: asked, by, reason }) => {
        const problem = termsProblem(asked as ProductTerms, digits(asked.asset));
        if (problem !== undefined) throw new Refused(problem);
        const present = await findProduct(step.sql, { code: asked.code });
        if (present !== undefined && isSame(present, asked as ProductTerms)) return productAnswer(present);
        const change = offerChangeProblem(present, asked);
        if (change !== undefined) throw new Refused(change);
        const version = (present?.version ?? 0) + 1;
        const product: Product = { ...(asked as ProductTerms), id: present?.id ?? step.newId(), version };
        post.quotas.publish(step, 'finance.published', product, present?.capacity ?? Decimal.zero);
        await saveProduct(step.sql, product, { by, reason, now: step.now });
        return productAnswer(product);
      },
    }),

    /** Fills the account from which an asset's interest is paid up to an amount. */
    fund: sqlCommand({
      name: 'finance.fund',
      input: fundInput,
      run: (step, { asset, wanted, from }) => {
        const missing = wanted.minus(ledger.balance(HOUSE.interest, asset));
        const source = from === 'demo' ? worldAddress(asset, 'demo') : HOUSE.fees;
        const short = from === 'fees' && missing.isMore(ledger.balance(source, asset));
        if (short) {
          const limit = ledger.balance(source, asset).toString();
          throw new Refused(
            refusal('insufficientBalance', 'l.insufficient_balance', {
              limit,
              value: missing.toString(),
              unit: asset,
            }),
          );
        }
        if (missing.isPositive())
          ledger.post(step, 'finance.funded', null, [
            { source, destination: HOUSE.interest, asset, amount: missing },
          ]);
        return Promise.resolve({ asset, funded: ledger.balance(HOUSE.interest, asset).toString() });
      },
    }),
  };
}

function buyCommands({ accepts, ledger, digits, post }: Scope) {
  return {
    /** Locks an amount under a product's present terms. */
    buy: sqlCommand({
      name: 'finance.buy',
      input: buyInput,
      prepare: (input) => ledger.prepare(input.owner),
      run: async (
        step,
        { owner: buyer, product: productId, amount, agreed, agreementVersion, version, house },
      ) => {
        const before = house && (await orderOfOrigin(step.sql, house.origin));
        if (before !== undefined) return purchaseAnswer(before);
        const product = await findProduct(step.sql, { id: productId });
        if (product === undefined) throw new Refused(refusal('generic', 'l.not_found'));
        const outdated = termsVersionProblem(version, product.version);
        if (outdated !== undefined) throw new Refused(outdated);
        if (!agreed || !accepts(agreementVersion)) {
          const about = { limit: AGREEMENT_VERSION, value: agreed ? agreementVersion : '0' };
          throw new Refused(
            refusal('invalidField', 'l.finance_agreement', { field: 'agreementVersion', ...about }),
          );
        }
        const running = (await runningInterest(step.sql)).get(product.asset) ?? Decimal.zero;
        const funded = ledger.balance(HOUSE.interest, product.asset);
        const sale = onSale(product, digits(product.asset), {
          remaining: post.quotas.remaining(product.id),
          isCovered: isCovered(funded, running, product, amount),
        });
        const userRemaining = product.maxAmount.minus(post.quotas.used(buyer, product.id));
        const available = ledger.balance(spotOf(buyer), product.asset);
        const problem = purchaseProblem(sale, amount, { userRemaining, available }, step.now);
        if (problem !== undefined) throw new Refused(problem);
        const boughtAt = house?.since ?? step.now;
        const order: FinanceOrder = {
          ...{ id: step.newId(), owner: buyer, product: product.id, asset: product.asset, principal: amount },
          ...{ dailyRate: product.dailyRate, dailyInterest: dailyInterest(amount, product.dailyRate) },
          ...{ period: product.period, payMode: product.payMode, isManual: product.isManual, boughtAt },
          ...{ ...termOf(boughtAt, product.period), daysAccrued: 0, status: 'hosting', closedAt: undefined },
        };
        post.purchase(step, order, product.maxAmount);
        const more = { version: product.version, origin: house?.origin, agreementVersion };
        await insertOrder(step.sql, order, more);
        await notify(step, 'bought', [order]);
        tell(step, order);
        return purchaseAnswer(order);
      },
    }),
  };
}

function dayCommands({ ledger, post }: Scope) {
  return {
    /** Credits the next day of orders; leaves those alone whose day has been, or whose interest cannot be paid now. */
    accrue: sqlCommand({
      name: 'finance.accrue',
      input: accrueInput,
      prepare: ({ orders }) => ledger.prepareAll(orders.map((order) => order.owner)),
      run: async (step, { orders: asked }) => {
        const days = new Map(asked.map(({ id: of, day }) => [of, day]));
        const found = await ordersByIds(step.sql, [...days.keys()]);
        const due = found.filter(
          (order) => daysDue(order, step.now) > 0 && days.get(order.id) === order.daysAccrued + 1,
        );
        const credited = await post.accrue(
          step,
          due.map((order) => ({ order, days: 1 })),
        );
        await notify(
          step,
          'income',
          credited.filter(({ payMode }) => payMode === 'daily'),
        );
        for (const order of credited) tell(step, order);
        return { done: credited.length };
      },
    }),
  };
}

function payCommands({ ledger, post }: Scope) {
  return {
    /** Pays out matured orders whose days are all credited. */
    pay: sqlCommand({
      name: 'finance.pay',
      input: payInput,
      prepare: ({ orders }) => ledger.prepareAll(orders.map((order) => order.owner)),
      run: async (step, { orders: asked }) => {
        const found = await ordersByIds(
          step.sql,
          asked.map((one) => one.id),
        );
        const matured = found.filter(
          (order) =>
            isWithdrawable(order, step.now) &&
            order.daysAccrued === order.period &&
            !ledger.isHalted(order.asset),
        );
        await payOut(step, post, matured);
        return { done: matured.length };
      },
    }),

    /** The same for one order at its owner's wish; it credits what days are missing first. */
    withdraw: sqlCommand({
      name: 'finance.withdraw',
      input: withdrawInput,
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, { owner: own, id: orderId }) => {
        const [order] = await ordersByIds(step.sql, [orderId]);
        if (order === undefined || order.owner !== own) throw new Refused(refusal('generic', 'l.not_found'));
        if (order.status === 'completed') return withdrawalAnswer(order);
        if (!isWithdrawable(order, step.now)) {
          const about = { limit: String(order.endAt), value: String(step.now) };
          throw new Refused(refusal('closed', 'l.finance_not_matured', about));
        }
        const missing = daysDue(order, step.now);
        const asked = missing > 0 ? [{ order, days: missing }] : [];
        const credited = await post.accrue(step, asked);
        if (credited.length < asked.length) throw post.shortOf(order, missing);
        const full = credited[0] ?? order;
        await payOut(step, post, [full]);
        return withdrawalAnswer(full);
      },
    }),
  };
}

export type FinanceCommands = ReturnType<typeof financeCommands>;

async function payOut(step: SqlStep, post: FinancePosts, orders: readonly FinanceOrder[]): Promise<void> {
  if (orders.length === 0) return;
  for (const order of orders) post.maturity(step, order);
  await completeOrders(
    step.sql,
    orders.map((order) => order.id),
    step.now,
  );
  await notify(step, 'matured', orders);
  for (const order of orders) tell(step, { ...order, status: 'completed' });
}

async function notify(step: SqlStep, kind: 'bought' | 'income' | 'matured', orders: readonly FinanceOrder[]) {
  const notices = orders.map((order) => ({
    ...{ id: step.newId(), kind, owner: order.owner, order_id: order.id },
    amount: kind === 'bought' ? order.principal : kind === 'income' ? order.dailyInterest : accruedOf(order),
  }));
  await leaveNotices(step.sql, notices, step.now);
}

function tell(step: SqlStep, { id: orderId, owner: of, product, status }: FinanceOrder): void {
  step.publish(financeChanged, { owner: of, orderId, productId: product, status });
}

function isSame({ id: _, version: __, ...present }: Product, asked: ProductTerms): boolean {
  const text = (of: ProductTerms) => {
    const set = Object.entries(of).filter(([, value]) => value !== undefined);
    return JSON.stringify(set.toSorted(([one], [other]) => (one < other ? -1 : 1)));
  };
  return text(present) === text(asked);
}

function productAnswer({ id: product, code, version }: Product) {
  return { id: product, code, version };
}

function purchaseAnswer(order: FinanceOrder) {
  const expectProfit = interestFor(order, order.period).toString();
  return { orderId: order.id, startTime: order.startAt, endTime: order.endAt, expectProfit };
}

function withdrawalAnswer(order: FinanceOrder) {
  return { amount: order.principal.toString(), profit: accruedOf(order).toString() };
}

/** Finance without its service, for a replay: its commands and what they have to make again. */
export function financeReplay({
  ledger,
  coins,
}: {
  readonly ledger: Ledger;
  readonly coins: readonly Coin[];
}) {
  return { commands: Object.values(financeCommands(ledger, coins, inItsTime)), state: STATE };
}

function digitsOf(coins: readonly Coin[]): (asset: string) => number {
  const digits = new Map(coins.map(({ code, digits: of }) => [code, of]));
  return (asset) => digits.get(asset) ?? 0;
}

const STATE = {
  products: 'select p::text as row, p.id as turn from finance_product p',
  versions: 'select v::text as row, (v.product, v.version) as turn from finance_product_version v',
  financeOrders: 'select o::text as row, o.id as turn from finance_order o',
  income: 'select i::text as row, (i.order_id, i.day) as turn from finance_income i',
  agreements: 'select a::text as row, (a.owner, a.version) as turn from finance_agreement a',
};
