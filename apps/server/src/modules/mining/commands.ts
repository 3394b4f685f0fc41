import { onlyVersion, anyVersion, type AcceptsVersion } from '@exchange/core/agreements.ts';
import { dailyInterest, termOf } from '@exchange/core/finance.ts';
import { miningStatus } from '@exchange/core/mining.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import * as z from 'zod/mini';
import { sqlCommand, type InputSchema } from '../../platform/sequencer/command.ts';
import { decimal, instantField, textByLocale } from '../../platform/sequencer/input-fields.ts';
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
  creditedOf,
  isDue,
  totalOf,
  type MiningOrder,
  type ProductTerms,
} from './domain.ts';
import { miningChanged } from './feed.ts';
import { MINING } from './kind.ts';
import { MiningPosts } from './posts.ts';
import { insertOrder, enqueueNotices, orderOfOrigin, ordersByIds, saveRedeemed } from './repository.ts';

const terms = z.object({
  code: z.string(),
  name: textByLocale,
  source: textByLocale,
  asset: z.string(),
  cycle: z.int(),
  dailyRate: decimal,
  startAmount: decimal,
  maxAmount: decimal,
  capacity: decimal,
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

/**
 * The sequencer commands of mining. `accepts` decides with which version of the agreement a buyer may purchase; by
 * default only with the current one. A replay accepts every version.
 */
export function miningCommands(
  ledger: Ledger,
  coins: readonly Coin[],
  accepts: AcceptsVersion = onlyVersion(AGREEMENT_VERSION),
) {
  const steps = new EarnSteps(MINING, { ledger, coins, accepts });
  const scope = { ledger, steps, post: new MiningPosts(ledger) };
  return { ...offerCommands(scope), ...buyCommands(scope), ...orderCommands(scope) };
}

export type MiningCommands = ReturnType<typeof miningCommands>;

interface Scope {
  readonly ledger: Ledger;
  readonly steps: EarnSteps<ProductTerms>;
  readonly post: MiningPosts;
}

/** Commands of operators: publish products and fund the account that pays income. */
function offerCommands({ steps }: Scope) {
  return {
    publish: sqlCommand({
      name: 'mining.publish',
      input: publishInput,
      run: (step, input) => steps.publish(step, input),
    }),
    fund: sqlCommand({
      name: 'mining.fund',
      input: fundInput,
      run: (step, input) => steps.fund(step, input),
    }),
  };
}

function buyCommands({ ledger, steps, post }: Scope) {
  return {
    /**
     * Buys a mining product for a user: locks the amount under the product's current terms, and stores a notice to the
     * owner. If an order with the `origin` of the request exists, returns that order and buys nothing.
     */
    buy: sqlCommand({
      name: 'mining.buy',
      input: buyInput,
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, input) => {
        const { owner, amount: principal, agreementVersion, house } = input;
        const previous = house && (await orderOfOrigin(step.sql, house.origin));
        if (previous !== undefined) return purchaseAnswer(previous, totalOf(previous));
        const {
          id: product,
          asset,
          version,
          maxAmount,
          dailyRate,
          cycle,
        } = await steps.productFor(step, input);
        const boughtAt = house?.since ?? step.now;
        const order: MiningOrder = {
          id: step.newId(),
          owner,
          product,
          asset,
          principal,
          dailyRate,
          cycle,
          boughtAt,
          dailyIncome: dailyInterest(principal, dailyRate),
          ...termOf(boughtAt, cycle),
          daysCredited: 0,
          redeemedAt: undefined,
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

function orderCommands({ ledger, post }: Scope) {
  return {
    /**
     * Credits each order the income of its next day. Leaves out orders whose day is credited already or not over yet,
     * and orders whose income cannot be paid now. Stores notices about the income, and about the end of the cycle for
     * orders that are not redeemed yet.
     */
    credit: sqlCommand({
      name: 'mining.credit',
      input: daysInput,
      prepare: ({ orders }) => ledger.prepareAll(orders.map((order) => order.owner)),
      run: async (step, { orders: requested }) => {
        const days = new Map(requested.map(({ id, day }) => [id, day]));
        const stored = await ordersByIds(step.sql, [...days.keys()]);
        const due = stored.filter((order) => isDue(order, days.get(order.id)!, step.now));
        const credited = await post.credit(step, due);
        await storeNotices(step, 'income', credited);
        const ended = credited.filter(({ daysCredited, cycle }) => daysCredited === cycle);
        await storeNotices(
          step,
          'ended',
          ended.filter(({ redeemedAt }) => redeemedAt === undefined),
        );
        for (const order of credited) publishChange(step, order);
        return { done: credited.length };
      },
    }),

    /**
     * Pays the principal of an order whose cycle has ended back to its owner, only once; a repeated call pays
     * nothing and returns the first result. Income of the cycle that is not credited yet is credited later.
     * Refuses an unknown order, one of another user, and one whose cycle has not ended.
     */
    redeem: sqlCommand({
      name: 'mining.redeem',
      input: orderInput,
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, { owner, id }) => {
        const [order] = await ordersByIds(step.sql, [id]);
        if (order === undefined || order.owner !== owner)
          throw new Refused(refusal('generic', 'l.not_found'));
        const status = miningStatus(order, step.now);
        if (status === 'redeemed') return redemptionAnswer(order);
        if (status === 'earning') {
          const details = { limit: String(order.endAt), value: String(step.now) };
          throw new Refused(refusal('closed', 'l.mining_not_ended', details));
        }
        const redeemed = { ...order, redeemedAt: step.now };
        post.redeem(step, redeemed);
        await saveRedeemed(step.sql, order.id, step.now);
        await storeNotices(step, 'redeemed', [redeemed]);
        publishChange(step, redeemed);
        return redemptionAnswer(redeemed);
      },
    }),
  };
}

const NOTICE_AMOUNTS = {
  bought: ({ principal }: MiningOrder) => principal,
  income: ({ dailyIncome }: MiningOrder) => dailyIncome,
  ended: creditedOf,
  redeemed: ({ principal }: MiningOrder) => principal,
} as const;

async function storeNotices(
  step: SqlStep,
  kind: keyof typeof NOTICE_AMOUNTS,
  orders: readonly MiningOrder[],
) {
  const notices = orders.map((order) => ({
    id: step.newId(),
    kind,
    order,
    amount: NOTICE_AMOUNTS[kind](order),
  }));
  await enqueueNotices(step.sql, notices, step.now);
}

function publishChange(step: SqlStep, order: MiningOrder): void {
  const status = miningStatus(order, step.now);
  step.publish(miningChanged, { owner: order.owner, orderId: order.id, productId: order.product, status });
}

function redemptionAnswer({ principal, redeemedAt }: MiningOrder) {
  return { amount: principal.toString(), redeemTime: redeemedAt! };
}

/**
 * The commands of mining, and the queries of the state that a replay of the journal must reproduce, without the
 * service.
 */
export function miningReplay({
  ledger,
  coins,
}: {
  readonly ledger: Ledger;
  readonly coins: readonly Coin[];
}) {
  return { commands: Object.values(miningCommands(ledger, coins, anyVersion)), state: STATE };
}

const STATE = {
  miningProducts: 'select p::text as row, p.id as turn from mining_product p',
  miningVersions: 'select v::text as row, (v.product, v.version) as turn from mining_product_version v',
  miningOrders: 'select o::text as row, o.id as turn from mining_order o',
  miningIncome: 'select i::text as row, (i.order_id, i.day) as turn from mining_income i',
  miningAgreements: 'select a::text as row, (a.owner, a.version) as turn from mining_agreement a',
};
