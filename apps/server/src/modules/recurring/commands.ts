import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import {
  partsOf,
  RECURRING_FREQUENCIES,
  RECURRING_PLANS_MAX,
  recurringCoinsProblem,
  type RecurringSkip,
} from '@exchange/core/recurring.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import * as z from 'zod/mini';
import { sqlCommand } from '../../platform/sequencer/command.ts';
import { decimal, idOf, instantField } from '../../platform/sequencer/input-fields.ts';
import type { SqlStep } from '../../platform/sequencer/step.ts';
import { ExchangeSteps } from '../convert/index.ts';
import type { Ledger } from '../ledger/index.ts';
import { changeProblem, isDue, noticesOf, skipOf, type Buy, type BuyCoin, type Plan } from './domain.ts';
import { presentPlan } from './present.ts';
import { enqueueNotices, findPlan, insertBuy, insertPlan, openPlans, updatePlan } from './repository.ts';

const owner = idOf<UserId>();
const planId = idOf<string>();
const createInput = z.object({
  owner,
  asset: z.string(),
  amount: decimal,
  coins: z.array(z.object({ asset: z.string(), share: z.int() })),
  schedule: z.object({
    frequency: z.enum(RECURRING_FREQUENCIES),
    weekday: z.optional(z.int()),
    monthDay: z.optional(z.int()),
    minute: z.int(),
    timeZone: z.string(),
  }),
  /**
   * Time of the plan's first buy. It is an input of the command, because commands must not depend on
   * time zone data, which can change before a replay.
   */
  nextAt: instantField,
  /** Unique key of a demo plan, so that the plan is created once; undefined for users' plans. */
  origin: z.optional(z.string()),
});
const changeInput = z.object({
  owner,
  id: planId,
  to: z.enum(['active', 'paused', 'ended']),
  /** The time of the first buy of a plan that becomes active; absent for other changes. */
  nextAt: z.optional(instantField),
});
const side = z.object({ asset: z.string(), digits: z.int(), index: decimal });
const buyInput = z.object({
  owner,
  id: planId,
  scheduledAt: instantField,
  /**
   * Number of the plan's buy times before `scheduledAt` that passed without a buy, because no price was available or
   * the server did not run.
   */
  missed: z.int(),
  /** The plan's next buy time after `scheduledAt`. */
  nextAt: instantField,
  /** The reason why nothing is bought, or the current prices; a coin without a price is left out. */
  decision: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('skip'), reason: z.enum(['late', 'account']) }),
    z.object({
      kind: z.literal('buy'),
      from: side,
      coins: z.array(z.object({ side, spread: decimal })),
    }),
  ]),
});
export type BuyInput = z.infer<typeof buyInput>;

/** The commands of recurring buys: create a plan, change a plan's status, and execute a plan's due buy. */
export function recurringCommands(ledger: Ledger) {
  const scope = { ledger, exchanges: new ExchangeSteps(ledger) };
  return {
    /**
     * Creates an active plan, or returns the existing one with the same `origin`. Refuses invalid coins or shares, and
     * more open plans of a user than `RECURRING_PLANS_MAX`.
     */
    create: sqlCommand({
      name: 'recurring.create',
      input: createInput,
      run: async (step, { owner: buyer, asset, amount, coins, schedule, nextAt, origin }) => {
        const previous = origin === undefined ? undefined : await findPlan(step.sql, { origin });
        if (previous !== undefined) return presentPlan(previous);
        const problem = recurringCoinsProblem(asset, coins);
        if (problem !== undefined) throw new Refused(problem);
        const open = await openPlans(step.sql, buyer);
        if (open >= RECURRING_PLANS_MAX) {
          const details = { limit: String(RECURRING_PLANS_MAX), value: String(open + 1) };
          throw new Refused(refusal('aboveMaximum', 'l.recurring_max', details));
        }
        const plan: Plan = {
          id: step.newId(),
          owner: buyer,
          asset,
          amount,
          coins: coins.map((coin) => ({
            asset: coin.asset,
            share: coin.share,
            buys: 0,
            paid: Decimal.zero,
            received: Decimal.zero,
            firstPaid: Decimal.zero,
            firstReceived: Decimal.zero,
          })),
          schedule: {
            frequency: schedule.frequency,
            weekday: schedule.weekday,
            monthDay: schedule.monthDay,
            minute: schedule.minute,
            timeZone: schedule.timeZone,
          },
          status: 'active',
          nextAt,
          skipped: 0,
          createdAt: step.now,
          endedAt: undefined,
        };
        await insertPlan(step.sql, plan, origin);
        return presentPlan(plan);
      },
    }),

    /**
     * Pauses, resumes or ends a plan. A plan that is already in the requested state stays unchanged. Refuses to pause
     * or resume an ended plan, and a plan that does not exist or belongs to another user.
     */
    change: sqlCommand({
      name: 'recurring.change',
      input: changeInput,
      run: async (step, { owner: buyer, id, to, nextAt }) => {
        const plan = await findPlan(step.sql, { id });
        if (plan === undefined || plan.owner !== buyer) throw new Refused(refusal('generic', 'l.not_found'));
        const problem = changeProblem(plan, to);
        if (problem !== undefined) throw new Refused(problem);
        if (plan.status === to) return { id };
        await updatePlan(step.sql, {
          id,
          status: to,
          nextAt: to === 'active' ? nextAt : undefined,
          skipped: plan.skipped,
          endedAt: to === 'ended' ? step.now : undefined,
        });
        return { id };
      },
    }),

    /**
     * Buys a plan's coins for one of its scheduled buy times and sets the plan's next buy time. Does nothing if the
     * plan is not active or a buy at this time or a later one was processed already, so a repeated command buys once. A
     * coin that cannot be bought is recorded with the reason. Enqueues the messages about the buy.
     */
    buy: sqlCommand({
      name: 'recurring.buy',
      input: buyInput,
      prepare: (input) => ledger.prepare(input.owner),
      run: async (step, input) => {
        const plan = await findPlan(step.sql, { id: input.id });
        if (plan === undefined || plan.owner !== input.owner || !isDue(plan, input.scheduledAt, step.now))
          return { done: 0 };
        const buy: Buy = {
          id: step.newId(),
          plan: plan.id,
          owner: plan.owner,
          asset: plan.asset,
          scheduledAt: input.scheduledAt,
          executedAt: step.now,
          missed: input.missed,
          coins: await buyCoins(scope, step, plan, input.decision),
        };
        await insertBuy(step.sql, buy);
        const isSkipped = buy.coins.every(({ exchange }) => exchange === undefined);
        await updatePlan(step.sql, {
          id: plan.id,
          status: 'active',
          nextAt: input.nextAt,
          skipped: plan.skipped + (isSkipped ? 1 : 0),
          endedAt: undefined,
        });
        await enqueueNotices(
          step.sql,
          noticesOf(buy.coins).map((kind) => ({ id: step.newId(), buy: buy.id, kind })),
        );
        return { done: 1 };
      },
    }),
  };
}

export type RecurringCommands = ReturnType<typeof recurringCommands>;

interface Scope {
  readonly ledger: Ledger;
  readonly exchanges: ExchangeSteps;
}

/**
 * Exchanges each coin's part of the plan's amount; a coin that cannot be bought now is skipped with its
 * reason, and its part is not spent. No coin is bought if `decision` is to skip, the coin that the plan pays
 * with is halted, or its available balance is less than the whole amount.
 */
async function buyCoins(
  { ledger, exchanges }: Scope,
  step: SqlStep,
  { owner: buyer, asset, amount, coins }: Plan,
  decision: BuyInput['decision'],
): Promise<readonly BuyCoin[]> {
  const digits = decision.kind === 'buy' ? decision.from.digits : undefined;
  const parts = partsOf(amount, coins, digits ?? PLACES_OF_SKIPPED);
  const partAt = (index: number) => parts[index] ?? Decimal.zero;
  const reason = reasonForAll({ ledger, exchanges }, buyer, { asset, amount }, decision);
  const bought: BuyCoin[] = [];
  for (const [index, coin] of coins.entries()) {
    const offer =
      decision.kind === 'buy'
        ? decision.coins.find((offered) => offered.side.asset === coin.asset)
        : undefined;
    if (decision.kind === 'skip' || offer === undefined || reason !== undefined) {
      bought.push(skippedCoin(coin.asset, partAt(index), reason ?? 'late'));
      continue;
    }
    if (ledger.isHalted(coin.asset)) {
      bought.push(skippedCoin(coin.asset, partAt(index), 'halted'));
      continue;
    }
    const exchanged = await exchanges.exchange(step, {
      owner: buyer,
      from: decision.from,
      to: offer.side,
      amount: partAt(index),
      spread: offer.spread,
    });
    bought.push(
      exchanged.ok
        ? {
            asset: coin.asset,
            amount: partAt(index),
            exchange: exchanged.value.id,
            received: exchanged.value.toAmount,
            skipped: undefined,
          }
        : skippedCoin(coin.asset, partAt(index), skipOf(exchanged.refusal)),
    );
  }
  return bought;
}

/**
 * Decimal places to which a plan's amount is divided among its coins in the record of a buy that is skipped
 * entirely. The input of such a buy contains no prices, and so not the decimals of the coin that the plan
 * pays with.
 */
const PLACES_OF_SKIPPED = 8;

function reasonForAll(
  { ledger, exchanges }: Scope,
  buyer: UserId,
  { asset, amount }: Pick<Plan, 'asset' | 'amount'>,
  decision: BuyInput['decision'],
): RecurringSkip | undefined {
  if (decision.kind === 'skip') return decision.reason;
  if (ledger.isHalted(asset)) return 'halted';
  return amount.isMore(exchanges.available(buyer, asset)) ? 'short' : undefined;
}

function skippedCoin(asset: string, amount: Decimal, skipped: RecurringSkip): BuyCoin {
  return {
    asset,
    amount,
    exchange: undefined,
    received: Decimal.zero,
    skipped,
  };
}

/**
 * The commands of recurring buys for a replay of the journal, and the queries of the rows that the replay
 * must reproduce.
 */
export function recurringReplay({ ledger }: { readonly ledger: Ledger }) {
  return { commands: Object.values(recurringCommands(ledger)), state: STATE };
}

const STATE = {
  recurringPlans: 'select p::text as row, p.id as turn from recurring_plan p',
  recurringCoins: 'select c::text as row, (c.plan, c.position) as turn from recurring_plan_coin c',
  recurringBuys: 'select b::text as row, b.id as turn from recurring_buy b',
  recurringBuyCoins: 'select c::text as row, (c.buy, c.position) as turn from recurring_buy_coin c',
};
