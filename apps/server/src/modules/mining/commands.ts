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
import { miningStatus } from '@exchange/core/mining.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import * as z from 'zod/mini';
import { sqlCommand } from '../../platform/sequencer/command.ts';
import { decimal, idOf, instantField, textByLocale } from '../../platform/sequencer/input-fields.ts';
import type { SqlStep } from '../../platform/sequencer/step.ts';
import type { Coin } from '../assets/index.ts';
import { worldAddress, type Ledger } from '../ledger/index.ts';
import {
  AGREEMENT_VERSION,
  creditedOf,
  isDue,
  onSale,
  termsProblem,
  totalOf,
  type MiningOrder,
  type Product,
  type ProductTerms,
} from './domain.ts';
import { miningChanged } from './events.ts';
import { HOUSE, MiningPosts, spotOf } from './posts.ts';
import {
  findProduct,
  insertOrder,
  leaveNotices,
  orderOfOrigin,
  ordersByIds,
  runningIncome,
  saveProduct,
  saveRedeemed,
} from './repository.ts';

const id = idOf<string>();
const owner = idOf<UserId>();
const terms = z.object({
  ...{ code: z.string(), name: textByLocale, source: textByLocale, asset: z.string(), cycle: z.int() },
  ...{ dailyRate: decimal, startAmount: decimal, maxAmount: decimal, capacity: decimal },
  ...{ opensAt: instantField, closesAt: z.optional(instantField), agreementVersion: z.string() },
});
const publishInput = z.object({ terms, by: z.string(), reason: z.string() });
const fundInput = z.object({ asset: z.string(), wanted: decimal, from: z.enum(['demo', 'fees']) });
const buyInput = z.object({
  ...{ owner, product: id, amount: decimal, agreed: z.boolean(), agreementVersion: z.string() },
  /** Of the terms that the buyer was shown. */
  version: z.optional(z.int()),
  /** The house alone: the order's own name, and an earlier moment from which its cycle counts. */
  house: z.optional(z.object({ origin: z.string(), since: instantField })),
});
const creditInput = z.object({ orders: z.array(z.object({ id, owner, day: z.int() })) });
const redeemInput = z.object({ owner, id });

/** What mining may do with these coins. */
export function miningCommands(
  ledger: Ledger,
  coins: readonly Coin[],
  accepts: AcceptsVersion = inForce(AGREEMENT_VERSION),
) {
  const digits = new Map(coins.map(({ code, digits: of }) => [code, of]));
  const scope = {
    ...{ accepts, ledger, post: new MiningPosts(ledger) },
    digits: (asset: string) => digits.get(asset) ?? 0,
  };
  return { ...offerCommands(scope), ...buyCommands(scope), ...orderCommands(scope) };
}

export type MiningCommands = ReturnType<typeof miningCommands>;

interface Scope {
  readonly accepts: AcceptsVersion;
  readonly ledger: Ledger;
  readonly post: MiningPosts;
  /** Those in which a coin's amounts are kept, by its code. */
  readonly digits: (asset: string) => number;
}

/** What operators do: products and the money that their income is paid from. */
function offerCommands({ ledger, digits, post }: Scope) {
  return {
    /** Publishes a product, or the next version of its terms; the same terms again change nothing. */
    publish: sqlCommand({
      name: 'mining.publish',
      input: publishInput,
      run: async (step, { terms: given, by, reason }) => {
        const asked = given as ProductTerms;
        const problem = termsProblem(asked, digits(asked.asset));
        if (problem !== undefined) throw new Refused(problem);
        const present = await findProduct(step.sql, { code: asked.code });
        if (present !== undefined && isSame(present, asked)) return productAnswer(present);
        const change = offerChangeProblem(present, asked);
        if (change !== undefined) throw new Refused(change);
        const version = (present?.version ?? 0) + 1;
        const product: Product = { ...asked, id: present?.id ?? step.newId(), version };
        post.quotas.publish(step, 'mining.published', product, present?.capacity ?? Decimal.zero);
        await saveProduct(step.sql, product, { by, reason, now: step.now });
        return productAnswer(product);
      },
    }),

    /** Fills the account from which an asset's income is paid up to an amount. */
    fund: sqlCommand({
      name: 'mining.fund',
      input: fundInput,
      run: (step, { asset, wanted, from }) => {
        const amount = wanted.minus(ledger.balance(HOUSE.income, asset));
        const source = from === 'demo' ? worldAddress(asset, 'demo') : HOUSE.fees;
        const limit = ledger.balance(source, asset);
        if (from === 'fees' && amount.isMore(limit)) {
          const about = { limit: limit.toString(), value: amount.toString(), unit: asset };
          throw new Refused(refusal('insufficientBalance', 'l.insufficient_balance', about));
        }
        if (amount.isPositive())
          ledger.post(step, 'mining.funded', null, [{ source, destination: HOUSE.income, asset, amount }]);
        return Promise.resolve({ asset, funded: ledger.balance(HOUSE.income, asset).toString() });
      },
    }),
  };
}

function buyCommands({ accepts, ledger, digits, post }: Scope) {
  return {
    /** Locks an amount under a product's present terms. */
    buy: sqlCommand({
      name: 'mining.buy',
      input: buyInput,
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, { owner: buyer, product: of, amount, agreed, agreementVersion, version, house }) => {
        const before = house && (await orderOfOrigin(step.sql, house.origin));
        if (before !== undefined) return purchaseAnswer(before);
        const product = await findProduct(step.sql, { id: of });
        if (product === undefined) throw new Refused(refusal('generic', 'l.not_found'));
        const outdated = termsVersionProblem(version, product.version);
        if (outdated !== undefined) throw new Refused(outdated);
        if (!agreed || !accepts(agreementVersion)) {
          const about = { limit: AGREEMENT_VERSION, value: agreed ? agreementVersion : '0' };
          throw new Refused(
            refusal('invalidField', 'l.finance_agreement', { field: 'agreementVersion', ...about }),
          );
        }
        const { asset, cycle, dailyRate, maxAmount } = product;
        const running = (await runningIncome(step.sql)).get(asset) ?? Decimal.zero;
        const sale = onSale(product, digits(asset), {
          remaining: post.quotas.remaining(product.id),
          isCovered: isCovered(
            ledger.balance(HOUSE.income, asset),
            running,
            { period: cycle, dailyRate },
            amount,
          ),
        });
        const own = {
          userRemaining: maxAmount.minus(post.quotas.used(buyer, product.id)),
          available: ledger.balance(spotOf(buyer), asset),
        };
        const problem = purchaseProblem(sale, amount, own, step.now);
        if (problem !== undefined) throw new Refused(problem);
        const boughtAt = house?.since ?? step.now;
        const order: MiningOrder = {
          ...{ id: step.newId(), owner: buyer, product: product.id, asset, principal: amount },
          ...{ dailyRate, dailyIncome: dailyInterest(amount, dailyRate), cycle, boughtAt },
          ...{ ...termOf(boughtAt, cycle), daysCredited: 0, redeemedAt: undefined },
        };
        post.purchase(step, order, maxAmount);
        const more = { version: product.version, origin: house?.origin, agreementVersion };
        await insertOrder(step.sql, order, more);
        await notify(step, 'bought', [order]);
        tell(step, order);
        return purchaseAnswer(order);
      },
    }),
  };
}

function orderCommands({ ledger, post }: Scope) {
  return {
    /** Credits the next day of orders; leaves those alone whose day has been, or whose income cannot be paid now. */
    credit: sqlCommand({
      name: 'mining.credit',
      input: creditInput,
      prepare: ({ orders }) => ledger.prepareAll(orders.map((order) => order.owner)),
      run: async (step, { orders: asked }) => {
        const days = new Map(asked.map(({ id: of, day }) => [of, day]));
        const found = await ordersByIds(step.sql, [...days.keys()]);
        const due = found.filter((order) => isDue(order, days.get(order.id)!, step.now));
        const credited = await post.credit(step, due);
        await notify(step, 'income', credited);
        const ended = credited.filter(({ daysCredited, cycle }) => daysCredited === cycle);
        await notify(
          step,
          'ended',
          ended.filter(({ redeemedAt }) => redeemedAt === undefined),
        );
        for (const order of credited) tell(step, order);
        return { done: credited.length };
      },
    }),

    /** Returns the principal of an order whose cycle has ended; income that is still to come comes. */
    redeem: sqlCommand({
      name: 'mining.redeem',
      input: redeemInput,
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, { owner: own, id: of }) => {
        const [order] = await ordersByIds(step.sql, [of]);
        if (order === undefined || order.owner !== own) throw new Refused(refusal('generic', 'l.not_found'));
        const status = miningStatus(order, step.now);
        if (status === 'redeemed') return redemptionAnswer(order);
        if (status === 'earning') {
          const about = { limit: String(order.endAt), value: String(step.now) };
          throw new Refused(refusal('closed', 'l.mining_not_ended', about));
        }
        const redeemed = { ...order, redeemedAt: step.now };
        post.redeem(step, redeemed);
        await saveRedeemed(step.sql, order.id, step.now);
        await notify(step, 'redeemed', [redeemed]);
        tell(step, redeemed);
        return redemptionAnswer(redeemed);
      },
    }),
  };
}

const TOLD = {
  bought: ({ principal }: MiningOrder) => principal,
  income: ({ dailyIncome }: MiningOrder) => dailyIncome,
  ended: creditedOf,
  redeemed: ({ principal }: MiningOrder) => principal,
} as const;

async function notify(step: SqlStep, kind: keyof typeof TOLD, orders: readonly MiningOrder[]) {
  const notices = orders.map((order) => ({ id: step.newId(), kind, order, amount: TOLD[kind](order) }));
  await leaveNotices(step.sql, notices, step.now);
}

function tell(step: SqlStep, order: MiningOrder): void {
  const status = miningStatus(order, step.now);
  step.publish(miningChanged, { owner: order.owner, orderId: order.id, productId: order.product, status });
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

function purchaseAnswer(order: MiningOrder) {
  const expectProfit = totalOf(order).toString();
  return { orderId: order.id, startTime: order.startAt, endTime: order.endAt, expectProfit };
}

function redemptionAnswer({ principal, redeemedAt }: MiningOrder) {
  return { amount: principal.toString(), redeemTime: redeemedAt! };
}

/** Mining without its service, for a replay: its commands and what they have to make again. */
export function miningReplay({
  ledger,
  coins,
}: {
  readonly ledger: Ledger;
  readonly coins: readonly Coin[];
}) {
  return { commands: Object.values(miningCommands(ledger, coins, inItsTime)), state: STATE };
}

const STATE = {
  miningProducts: 'select p::text as row, p.id as turn from mining_product p',
  miningVersions: 'select v::text as row, (v.product, v.version) as turn from mining_product_version v',
  miningOrders: 'select o::text as row, o.id as turn from mining_order o',
  miningIncome: 'select i::text as row, (i.order_id, i.day) as turn from mining_income i',
  miningAgreements: 'select a::text as row, (a.owner, a.version) as turn from mining_agreement a',
};
