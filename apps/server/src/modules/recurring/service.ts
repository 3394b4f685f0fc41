import type { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import {
  isTimeZone,
  recurringAmountProblem,
  recurringCoinsProblem,
  RecurringTimes,
  type RecurringCoin,
  type RecurringSchedule,
} from '@exchange/core/recurring.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { type AskedPage, COUNT_ONLY, rowsOfPage } from '../../platform/database/paged-rows.ts';
import type { Sequencer } from '../../platform/sequencer/sequencer.ts';
import type { Submission } from '../../platform/sequencer/submission.ts';
import type { Assets } from '../assets/index.ts';
import type { Convert } from '../convert/index.ts';
import type { RecurringCommands } from './commands.ts';
import type { Plan, PlanStatus } from './domain.ts';
import { buysPage, plansPage } from './records-repository.ts';
import { findPlan } from './repository.ts';

/**
 * Check whether an account may trade: `requireTrading` refuses an account that may not buy, or may not sell,
 * according to `side`.
 */
export interface AccountStatuses {
  requireTrading(user: UserId, side: 'buy' | 'sell'): Promise<void>;
}

export interface RecurringParts {
  readonly accountStatuses: AccountStatuses;
  readonly assets: Pick<Assets, 'requireCoin'>;
  readonly clock: Clock;
  readonly commands: RecurringCommands;
  readonly convert: Pick<Convert, 'side' | 'spread'>;
  readonly database: Database;
  readonly sequencer: Pick<Sequencer, 'execute'>;
}

/** A user's request for a new plan. */
export interface PlanRequest {
  readonly asset: string;
  readonly amount: Decimal;
  readonly coins: readonly RecurringCoin[];
  readonly schedule: RecurringSchedule;
}

/** Use cases of recurring buys: creates plans, changes their status, and reads plans and their buys. */
export class Recurring {
  private readonly parts: RecurringParts;

  constructor(parts: RecurringParts) {
    this.parts = parts;
  }

  /**
   * Creates a plan. Its first buy is at the next time of its schedule. Refuses an account that may not buy, and an
   * invalid plan.
   */
  async create(owner: UserId, request: PlanRequest, submission?: Submission) {
    const { accountStatuses, commands, clock, sequencer } = this.parts;
    await accountStatuses.requireTrading(owner, 'buy');
    this.check(request);
    const nextAt = new RecurringTimes(request.schedule).next(clock.now());
    return sequencer.execute(commands.create, inputOf(owner, request, nextAt), { actor: owner, submission });
  }

  /**
   * Pauses, resumes or ends a plan. A resumed plan buys next at the next time of its schedule; times during the pause
   * are not made up for. Refuses a plan of another user, pausing or resuming an ended plan, and a resumption by an
   * account that may not buy.
   */
  async change(owner: UserId, id: string, to: PlanStatus): Promise<Plan> {
    const { accountStatuses, commands, clock, sequencer } = this.parts;
    const plan = await this.plan(owner, id);
    if (to === 'active') await accountStatuses.requireTrading(owner, 'buy');
    const nextAt = to === 'active' ? new RecurringTimes(plan.schedule).next(clock.now()) : undefined;
    await sequencer.execute(commands.change, { owner, id, to, nextAt }, { actor: owner });
    return this.plan(owner, id);
  }

  /** A user's plan. Refuses with `l.not_found` when it is unknown or belongs to another user. */
  async plan(owner: UserId, id: string): Promise<Plan> {
    const plan = await findPlan(this.parts.database.reader, { id });
    if (plan?.owner !== owner) throw new Refused(refusal('generic', 'l.not_found'));
    return plan;
  }

  /** A user's plans, newest first: either the ended ones, or those that are active or paused. */
  plans(owner: UserId, hasEnded: boolean, page: AskedPage) {
    return plansPage(this.parts.database.reader, owner, hasEnded, rowsOfPage(page));
  }

  /** A user's buys, newest first; only those of `plan` if it is set. */
  buys(owner: UserId, plan: string | undefined, page: AskedPage) {
    return buysPage(this.parts.database.reader, owner, plan, rowsOfPage(page));
  }

  /** Number of a user's plans that have not ended, with a label for operators. */
  async openCounts(owner: UserId) {
    const { total } = await plansPage(this.parts.database.reader, owner, false, rowsOfPage(COUNT_ONLY));
    return [{ product: 'Recurring buys', open: total }];
  }

  /**
   * Creates a demo plan that first buys at `firstAt`. Does nothing if a plan with this `origin` exists, even an ended
   * one.
   */
  async createForDemo(owner: UserId, request: PlanRequest, firstAt: Instant, origin: string): Promise<void> {
    const { commands, database, sequencer } = this.parts;
    if ((await findPlan(database.reader, { origin })) !== undefined) return;
    await sequencer.execute(commands.create, { ...inputOf(owner, request, firstAt), origin });
  }

  /**
   * Refuses an invalid plan: an unknown time zone or coin, invalid coins or shares, a coin without a current price, and
   * an amount that has too many decimals or whose parts are outside the limits of conversions at the current prices.
   * Does not check the balance, because the user may fund the account later.
   */
  private check({ asset, amount, coins, schedule }: PlanRequest): void {
    const { assets, convert } = this.parts;
    if (!isTimeZone(schedule.timeZone))
      throw new Refused(
        refusal('invalidField', 'l.field_invalid', { field: 'timeZone', value: schedule.timeZone }),
      );
    assets.requireCoin(asset, 'currency');
    for (const coin of coins) assets.requireCoin(coin.asset, 'coins');
    const coinsProblem = recurringCoinsProblem(asset, coins);
    if (coinsProblem !== undefined) throw new Refused(coinsProblem);
    const from = convert.side(asset);
    const sides = coins.flatMap(({ asset: code, share }) => {
      const side = convert.side(code);
      return side === undefined ? [] : [{ share, side }];
    });
    if (from === undefined || sides.length < coins.length) throw new Refused(refusal('closed', 'l.no_index'));
    if (!amount.fits(from.digits))
      throw new Refused(
        refusal('invalidField', 'l.amount_decimals', {
          field: 'amount',
          limit: String(from.digits),
          value: amount.toString(),
          unit: asset,
        }),
      );
    const amountProblem = recurringAmountProblem(amount, from, sides);
    if (amountProblem !== undefined) throw new Refused(amountProblem);
  }
}

function inputOf(owner: UserId, { asset, amount, coins, schedule }: PlanRequest, nextAt: Instant) {
  return {
    owner,
    asset,
    amount,
    coins: coins.map(({ asset: code, share }) => ({ asset: code, share })),
    schedule: {
      frequency: schedule.frequency,
      weekday: schedule.weekday,
      monthDay: schedule.monthDay,
      minute: schedule.minute,
      timeZone: schedule.timeZone,
    },
    nextAt,
  };
}
