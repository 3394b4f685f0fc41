import type { ConvertSide } from '@exchange/core/convert.ts';
import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { RECURRING_COMPLETE_MS, RECURRING_LATE_MS, RecurringTimes } from '@exchange/core/recurring.ts';
import { Refused } from '@exchange/core/refusal.ts';
import { later, MINUTE_MS } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { ComponentHealth } from '../../platform/health/health.ts';
import type { Bulkheads } from '../../platform/jobs/bulkheads.ts';
import { DueWork, throughAll } from '../../platform/jobs/due-work.ts';
import type { Log } from '../../platform/log.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import { timeText } from '../../platform/time-text.ts';
import type { Convert } from '../convert/index.ts';
import type { Identity } from '../identity/index.ts';
import { deliverNotices, type AddressedMessage, type Messages } from '../messages/index.ts';
import type { BuyInput, RecurringCommands } from './commands.ts';
import { coinsOfNotice, type Plan } from './domain.ts';
import { duePlans, recurringNotices, type DuePlan, type Notice } from './records-repository.ts';
import { findPlan } from './repository.ts';
import type { AccountStatuses } from './service.ts';
import { recurringMessages } from './words/messages.ts';

/** Maximum number of plans whose commands are sent concurrently. */
const TOGETHER = 50;
/**
 * Milliseconds after its buy time at which a plan that has not bought makes the component unhealthy; probably a price
 * is missing.
 */
const OVERDUE_MS = 10 * MINUTE_MS;

const { kinds } = recurringMessages;
const KIND_OF_NOTICE = {
  bought: kinds.recurringBought,
  short: kinds.recurringShort,
  halted: kinds.recurringHalted,
  late: kinds.recurringLate,
  account: kinds.recurringAccount,
  inventory: kinds.recurringInventory,
  amount: kinds.recurringAmount,
} as const;

interface Deps {
  readonly accountStatuses: AccountStatuses;
  readonly bulkheads: Bulkheads;
  readonly clock: Clock;
  readonly commands: RecurringCommands;
  readonly convert: Pick<Convert, 'side' | 'spread'>;
  readonly database: Pick<Database, 'store' | 'transaction'>;
  readonly identity: Pick<Identity, 'addressees' | 'prepare'>;
  readonly log: Log;
  readonly messages: Pick<Messages, 'send' | 'announce'>;
  readonly sequencer: Pick<Sequencer, 'execute'>;
}

/** Executes the buys of due plans, every minute, and sends the messages about them. */
export class RecurringJobs extends DueWork {
  private readonly deps: Deps;

  constructor(deps: Deps) {
    super({
      name: 'recurring',
      log: deps.log,
      settle: () => buyDue(deps),
      writeNotices: async () => {
        await deliverNotices(deps, 'recurring notices', recurringNotices, (notices) =>
          notices.map(messageOf),
        );
      },
    });
    this.deps = deps;
  }

  /** Health of recurring buys: down while a plan has been due for longer than `OVERDUE_MS`. */
  async health(): Promise<ComponentHealth> {
    const { database, clock } = this.deps;
    const [overdue] = await duePlans(database.store, later(clock.now(), -OVERDUE_MS), undefined, 1);
    if (overdue === undefined) return { isUp: true, facts: { late: 'none' } };
    const late = `since ${new Date(overdue.at).toISOString()}`;
    return {
      isUp: false,
      reason: `plans wait for a price ${late}`,
      facts: { late },
    };
  }
}

async function buyDue(deps: Deps): Promise<void> {
  const { bulkheads, clock, database } = deps;
  const now = clock.now();
  await throughAll<DuePlan>(
    (behind) => duePlans(database.store, now, behind, TOGETHER),
    (due) =>
      bulkheads.bulkheadOf('recurring buys').together(
        due,
        ({ id }) => id,
        async (plans) => {
          const done = await Promise.all(plans.map(({ id }) => buyFor(deps, id)));
          return { done: done.reduce((sum, count) => sum + count, 0) };
        },
      ),
  );
}

/**
 * Executes the buy of a plan at its latest due time. Resolves to 1 if that time was processed, also when all coins were
 * skipped, and to 0 if the plan is not due or waits for a price.
 */
async function buyFor(deps: Deps, id: string): Promise<number> {
  const { clock, commands, database, sequencer } = deps;
  const plan = await findPlan(database.store, { id });
  const now = clock.now();
  if (plan?.nextAt === undefined || plan.nextAt > now) return 0;
  const { at, missed, next } = new RecurringTimes(plan.schedule).due(plan.nextAt, now);
  const decision = await decisionFor(deps, plan, now - at);
  if (decision === undefined) return 0;
  const input = {
    owner: plan.owner,
    id,
    scheduledAt: at,
    missed,
    nextAt: next,
    decision,
  };
  return (await sequencer.execute(commands.buy, input)).done;
}

/**
 * Decides about a buy `waitedMs` milliseconds after its time: the current prices of the plan's coins, or the reason why
 * nothing is bought. Undefined while the buy must wait for prices. After `RECURRING_COMPLETE_MS`, coins without a price
 * are left out and the others are bought; after `RECURRING_LATE_MS`, nothing is bought.
 */
async function decisionFor(
  deps: Deps,
  plan: Plan,
  waitedMs: number,
): Promise<BuyInput['decision'] | undefined> {
  if (waitedMs > RECURRING_LATE_MS) return { kind: 'skip', reason: 'late' };
  if (!(await mayBuy(deps, plan.owner))) return { kind: 'skip', reason: 'account' };
  const from = deps.convert.side(plan.asset);
  if (from === undefined) return undefined;
  const coins: { side: ConvertSide; spread: Decimal }[] = [];
  for (const { asset } of plan.coins) {
    const side = deps.convert.side(asset);
    if (side !== undefined) coins.push({ side, spread: deps.convert.spread(from, side) });
  }
  const isComplete = coins.length === plan.coins.length;
  const mayBePartial = coins.length > 0 && waitedMs > RECURRING_COMPLETE_MS;
  if (!isComplete && !mayBePartial) return undefined;
  return { kind: 'buy', from, coins };
}

/**
 * Whether an account may buy: it is verified, and neither frozen nor barred from buying. Rethrows a refusal
 * of the kind `maintenance`, so that the plan waits until maintenance ends.
 */
async function mayBuy({ accountStatuses, identity }: Deps, owner: UserId): Promise<boolean> {
  if ((await identity.prepare(owner))?.verified !== true) return false;
  try {
    await accountStatuses.requireTrading(owner, 'buy');
    return true;
  } catch (cause) {
    if (cause instanceof Refused && cause.refusal.kind !== 'maintenance') return false;
    throw cause;
  }
}

function messageOf({ id, kind, buy, plan }: Notice): AddressedMessage {
  const coins = coinsOfNotice(kind, buy.coins);
  return {
    userId: buy.owner,
    about: id,
    message: {
      type: 'asset',
      kind: KIND_OF_NOTICE[kind],
      parameters: {
        amount: plan.amount.toString(),
        coin: plan.asset,
        coins: coins.map(({ asset }) => asset).join(', '),
        lines: coins
          .map(
            ({ asset, amount, received }) =>
              `${amount.toString()} ${plan.asset} → ${received.toString()} ${asset}`,
          )
          .join('\n'),
        time: timeText(buy.scheduledAt),
      },
    },
  };
}
