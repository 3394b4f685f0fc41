import { onlyVersion, anyVersion, type AcceptsVersion } from '@exchange/core/agreements.ts';
import { dailyInterest, termOf } from '@exchange/core/finance.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import * as z from 'zod/mini';
import { sqlCommand, type InputSchema } from '../../platform/sequencer/command.ts';
import { decimal, idOf, instantField, textByLocale } from '../../platform/sequencer/input-fields.ts';
import type { SqlStep } from '../../platform/sequencer/step.ts';
import type { Coin } from '../assets/index.ts';
import {
  buyInput,
  daysInput,
  EarnSteps,
  fundInput,
  orderInput,
  purchaseAnswer,
  type PublishInput,
} from '../earn/index.ts';
import type { Ledger } from '../ledger/index.ts';
import {
  AGREEMENT_VERSION,
  accruedOf,
  daysDue,
  isWithdrawable,
  totalOf,
  type FinanceOrder,
  type ProductTerms,
} from './domain.ts';
import { financeChanged } from './feed.ts';
import { FINANCE } from './kind.ts';
import { FinancePosts } from './posts.ts';
import { completeOrders, insertOrder, enqueueNotices, orderOfOrigin, ordersByIds } from './repository.ts';

const terms = z.object({
  code: z.string(),
  name: textByLocale,
  source: textByLocale,
  asset: z.string(),
  period: z.int(),
  dailyRate: decimal,
  payMode: z.enum(['maturity', 'daily']),
  startAmount: decimal,
  maxAmount: decimal,
  capacity: decimal,
  isManual: z.boolean(),
  opensAt: instantField,
  closesAt: z.optional(instantField),
  agreementVersion: z.string(),
});
const publishInput = z.object({
  terms,
  by: z.string(),
  reason: z.string(),
  underCeilings: z.optional(z.literal(true)),
  most: z.optional(z.int()),
}) as InputSchema<PublishInput<ProductTerms>>;
const payInput = z.object({
  orders: z.array(z.object({ id: idOf<string>(), owner: idOf<UserId>() })),
});

/** The commands of fixed-term finance products, for the given coins. */
export function financeCommands(
  ledger: Ledger,
  coins: readonly Coin[],
  accepts: AcceptsVersion = onlyVersion(AGREEMENT_VERSION),
) {
  const steps = new EarnSteps(FINANCE, { ledger, coins, accepts });
  const scope = { ledger, steps, post: new FinancePosts(ledger) };
  return { ...offerCommands(scope), ...buyCommands(scope), ...dayCommands(scope), ...payCommands(scope) };
}

interface Scope {
  readonly ledger: Ledger;
  readonly steps: EarnSteps<ProductTerms>;
  readonly post: FinancePosts;
}

/** The commands of operators: publish products, and fund the account that pays interest. */
function offerCommands({ steps }: Scope) {
  return {
    publish: sqlCommand({
      name: 'finance.publish',
      input: publishInput,
      run: (step, input) => steps.publish(step, input),
    }),
    fund: sqlCommand({
      name: 'finance.fund',
      input: fundInput,
      run: (step, input) => steps.fund(step, input),
    }),
  };
}

function buyCommands({ ledger, steps, post }: Scope) {
  return {
    /**
     * Buys a fixed-term product for a user: locks an amount under the product's current terms, and stores a notice to
     * the owner. Returns the existing order of a known `origin`.
     */
    buy: sqlCommand({
      name: 'finance.buy',
      input: buyInput,
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, input) => {
        const { owner, amount: principal, agreementVersion, house } = input;
        const previous = house && (await orderOfOrigin(step.sql, house.origin));
        if (previous !== undefined) return purchaseAnswer(previous, totalOf(previous));
        const { id: product, asset, version, maxAmount, ...terms } = await steps.productFor(step, input);
        const { dailyRate, period, payMode, isManual } = terms;
        const boughtAt = house?.since ?? step.now;
        const order: FinanceOrder = {
          id: step.newId(),
          owner,
          product,
          asset,
          principal,
          dailyRate,
          period,
          payMode,
          isManual,
          dailyInterest: dailyInterest(principal, dailyRate),
          boughtAt,
          ...termOf(boughtAt, period),
          daysAccrued: 0,
          status: 'hosting',
          closedAt: undefined,
        };
        post.purchase(step, order, maxAmount);
        await insertOrder(step.sql, order, { version, origin: house?.origin, agreementVersion });
        await storeNotices(step, 'bought', [order]);
        publishChange(step, order);
        return purchaseAnswer(order, totalOf(order));
      },
    }),
  };
}

function dayCommands({ ledger, post }: Scope) {
  return {
    /**
     * Accrues the interest of the next day of each order. Leaves out orders whose day is accrued already or is not over
     * yet, and orders whose interest cannot be paid now. Stores notices about paid interest.
     */
    accrue: sqlCommand({
      name: 'finance.accrue',
      input: daysInput,
      prepare: ({ orders }) => ledger.prepareAll(orders.map((order) => order.owner)),
      run: async (step, { orders: requested }) => {
        const days = new Map(requested.map(({ id, day }) => [id, day]));
        const stored = await ordersByIds(step.sql, [...days.keys()]);
        const due = stored.filter(
          (order) => daysDue(order, step.now) > 0 && days.get(order.id) === order.daysAccrued + 1,
        );
        const credited = await post.accrue(
          step,
          due.map((order) => ({ order, days: 1 })),
        );
        await storeNotices(
          step,
          'income',
          credited.filter(({ payMode, status }) => payMode === 'daily' || status === 'completed'),
        );
        for (const order of credited) publishChange(step, order);
        return { done: credited.length };
      },
    }),
  };
}

function payCommands({ ledger, post }: Scope) {
  return {
    /**
     * Pays out those of the orders that have matured and are not paid out yet, except of halted coins: the principal,
     * and the accrued interest that is paid at the end. Interest that is not accrued stays owed. Stores notices to the
     * owners.
     */
    pay: sqlCommand({
      name: 'finance.pay',
      input: payInput,
      prepare: ({ orders }) => ledger.prepareAll(orders.map((order) => order.owner)),
      run: async (step, { orders: requested }) => {
        const stored = await ordersByIds(
          step.sql,
          requested.map((order) => order.id),
        );
        const matured = stored.filter(
          (order) => isWithdrawable(order, step.now) && !ledger.isHalted(order.asset),
        );
        await payOut(step, post, matured);
        const incomplete = matured.filter((order) => order.daysAccrued < order.period);
        return { done: matured.length, owing: incomplete.length };
      },
    }),

    /**
     * Pays out one matured order when its owner requests it. It first accrues all missing days together, if
     * all of their interest can be paid; otherwise that interest stays owed. Refuses an unknown order, one of
     * another user, and one that has not matured. For a completed order, it pays nothing and returns the
     * order's amounts.
     */
    withdraw: sqlCommand({
      name: 'finance.withdraw',
      input: orderInput,
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, { owner, id }) => {
        const [order] = await ordersByIds(step.sql, [id]);
        if (order === undefined || order.owner !== owner)
          throw new Refused(refusal('generic', 'l.not_found'));
        if (order.status === 'completed') return withdrawalAnswer(order);
        if (!isWithdrawable(order, step.now)) {
          const details = { limit: String(order.endAt), value: String(step.now) };
          throw new Refused(refusal('closed', 'l.finance_not_matured', details));
        }
        const missing = daysDue(order, step.now);
        const [credited] = missing > 0 ? await post.accrue(step, [{ order, days: missing }]) : [];
        const paidOrder = credited ?? order;
        await payOut(step, post, [paidOrder]);
        return withdrawalAnswer(paidOrder);
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
  await storeNotices(step, 'matured', orders);
  for (const order of orders) publishChange(step, { ...order, status: 'completed' });
}

async function storeNotices(
  step: SqlStep,
  kind: 'bought' | 'income' | 'matured',
  orders: readonly FinanceOrder[],
) {
  const notices = orders.map((order) => ({
    id: step.newId(),
    kind,
    owner: order.owner,
    order_id: order.id,
    amount: kind === 'bought' ? order.principal : kind === 'income' ? order.dailyInterest : accruedOf(order),
  }));
  await enqueueNotices(step.sql, notices, step.now);
}

function publishChange(step: SqlStep, { id, owner, product, status }: FinanceOrder): void {
  step.publish(financeChanged, {
    owner,
    orderId: id,
    productId: product,
    status,
  });
}

function withdrawalAnswer(order: FinanceOrder) {
  return { amount: order.principal.toString(), profit: accruedOf(order).toString() };
}

/**
 * The commands of finance, and the queries of the state that a replay of the journal must reproduce, without the
 * service.
 */
export function financeReplay({
  ledger,
  coins,
}: {
  readonly ledger: Ledger;
  readonly coins: readonly Coin[];
}) {
  return { commands: Object.values(financeCommands(ledger, coins, anyVersion)), state: STATE };
}

const STATE = {
  products: 'select p::text as row, p.id as turn from finance_product p',
  versions: 'select v::text as row, (v.product, v.version) as turn from finance_product_version v',
  financeOrders: 'select o::text as row, o.id as turn from finance_order o',
  income: 'select i::text as row, (i.order_id, i.day) as turn from finance_income i',
  agreements: 'select a::text as row, (a.owner, a.version) as turn from finance_agreement a',
};
