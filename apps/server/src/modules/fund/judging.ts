import { Decimal, sum } from '@exchange/core/decimal.ts';
import { purchaseFor, closingOf, firstCostAt, partOf } from '@exchange/core/fund.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { SqlStep } from '../../platform/sequencer/step.ts';
import type { Ledger } from '../ledger/index.ts';
import { fundChanged } from './feed.ts';
import { chargeDay, verdictFor, type Position, type Sell, type ValueAt } from './domain.ts';
import type { FundPosts } from './posts.ts';
import {
  endSells,
  insertCosts,
  enqueueNotices,
  savePositions,
  type Cost,
  type NewNotice,
  type NoticeKind,
} from './repository.ts';

interface JudgingParts {
  readonly ledger: Ledger;
  readonly post: FundPosts;
  readonly at: ValueAt;
  /**
   * The fund's unit values at 00:00 UTC, by that instant of each day; undefined in older journal steps, which
   * charge no costs.
   */
  readonly days: ReadonlyMap<Instant, Decimal> | undefined;
}

const ENDS = { sell: 'sold', liquidate: 'liquidated', exit: 'exited' } as const;
const KINDS = { sell: 'fund.sold', liquidate: 'fund.liquidated', exit: 'fund.exited' } as const;

/**
 * Applies one unit value of a fund to its positions inside a step. It collects all changes, and `save` stores them
 * together.
 */
export class ValueJudgement {
  private readonly step: SqlStep;
  private readonly parts: JudgingParts;
  private readonly changed: Position[] = [];
  private readonly executed: string[] = [];
  private readonly cancelled: string[] = [];
  private readonly notes: NewNotice[] = [];
  private readonly costs: Cost[] = [];
  private notional = Decimal.zero;

  constructor(step: SqlStep, parts: JudgingParts) {
    this.step = step;
    this.parts = parts;
  }

  /**
   * Charges the fund position the costs of the days that are due up to the second of the unit value, then does what the
   * unit value requires. A closing of the position that the exchange cannot pay now stays due. Does nothing in a halted
   * coin, and while the unit value of a due day is unknown.
   */
  judge(original: Position, allSells: readonly Sell[], isClosed: boolean): void {
    if (this.parts.ledger.isHalted(original.asset)) return;
    const position = this.chargeDays(original);
    if (position === undefined) return;
    this.apply(position, allSells, isClosed);
    const isStored = this.changed.some(({ id }) => id === position.id);
    if (position !== original && !isStored) this.changed.push(position);
  }

  /**
   * The fund position after its due daily costs are charged. Returns undefined and charges nothing if the
   * unit value of a due day is unknown. A position that is not open, and any position in an older journal
   * step without unit values of days, is returned unchanged.
   */
  private chargeDays(original: Position): Position | undefined {
    const { days, post, at } = this.parts;
    if (days === undefined || original.status !== 'holding') return original;
    const costs: Cost[] = [];
    let position = original;
    while (position.costAt !== undefined && position.costAt <= at.t) {
      const value = days.get(position.costAt);
      if (value === undefined) return undefined;
      const { cost, charged: changed } = chargeDay(position, position.costAt, value);
      costs.push(cost);
      position = changed;
    }
    for (const { amount } of costs) post.chargeCost(this.step, original, amount);
    this.costs.push(...costs);
    return position;
  }

  private apply(position: Position, allSells: readonly Sell[], isClosed: boolean): void {
    const sells = allSells.filter((sell) => sell.position === position.id);
    const verdict = verdictFor(position, sells, this.parts.at, isClosed);
    if (verdict.kind === 'open') this.open(position);
    else if (verdict.kind === 'giveBack') this.refund(position);
    else if (verdict.kind === 'warn') {
      this.changed.push({ ...position, warned: verdict.warned });
      this.note(position, 'warned', Decimal.ofWhole(verdict.warned));
    } else if (verdict.kind === 'sell') this.sell(position, verdict.sells, sells);
    else if (verdict.kind !== 'none' && this.close(position, verdict.kind, undefined))
      this.cancelled.push(...sells.map(({ id }) => id));
  }

  /** Refunds the margin of a fund purchase that was not executed, and ends the position. */
  refund(position: Position): void {
    this.parts.post.refund(this.step, position);
    this.notional = this.notional.minus(position.notional);
    const { now } = this.step;
    this.changed.push({ ...position, status: 'cancelled', notional: Decimal.zero, endedAt: now });
    this.note(position, 'cancelled', position.margin);
  }

  /**
   * Stores all collected changes: the fund positions, their daily costs, the executed and cancelled sell
   * orders, and the notices to the owners. Returns the changed positions.
   */
  async save(fund: string): Promise<readonly Position[]> {
    const { sql, now } = this.step;
    await insertCosts(sql, this.costs, now);
    await savePositions(sql, this.changed, { fund, change: this.notional });
    await endSells(sql, this.executed, 'executed', now);
    await endSells(sql, this.cancelled, 'cancelled', now);
    await enqueueNotices(sql, this.notes, now);
    return this.changed;
  }

  private open(position: Position): void {
    const { t, value } = this.parts.at;
    const { quantity, usedMargin, notional } = purchaseFor(
      position.margin,
      position.leverage,
      value,
      position.step,
    );
    if (!quantity.isPositive()) return this.refund(position);
    this.parts.post.buy(this.step, position, usedMargin);
    this.notional = this.notional.minus(position.notional).plus(notional);
    const opened: Position = {
      ...position,
      quantity,
      notional,
      margin: usedMargin,
      buyPrice: value,
      status: 'holding',
      openedAt: t,
      costAt: firstCostAt(t),
    };
    this.changed.push(opened);
    this.note(opened, 'bought', quantity);
  }

  /**
   * Executes sell orders of a fund position one after another, as long as the exchange can pay; each partial sale
   * becomes a separate closed position. When the whole position is sold, its other sell orders are cancelled.
   */
  private sell(position: Position, due: readonly Sell[], allSells: readonly Sell[]): void {
    let remaining = position;
    const done: string[] = [];
    for (const sell of due) {
      const isAll = !sell.quantity.isLess(remaining.quantity);
      const { margin, costs } = partOf(remaining, sell.quantity);
      const notional = isAll ? remaining.notional : sell.quantity.times(remaining.buyPrice, 'down', 8);
      const part = { ...remaining, quantity: sell.quantity, margin, costs, notional };
      const sold = isAll
        ? remaining
        : { ...part, id: this.step.newId(), parent: position.id, origin: undefined };
      if (!this.close(sold, 'sell', sell)) break;
      done.push(sell.id);
      if (isAll) {
        const unfilled = allSells.filter(({ id }) => !done.includes(id));
        this.cancelled.push(...unfilled.map(({ id }) => id));
        this.executed.push(...done);
        return;
      }
      remaining = {
        ...remaining,
        quantity: remaining.quantity.minus(sell.quantity),
        margin: remaining.margin.minus(margin),
        costs: remaining.costs.minus(costs),
        notional: remaining.notional.minus(notional),
      };
    }
    this.executed.push(...done);
    if (done.length > 0) this.changed.push(remaining);
  }

  private close(position: Position, ending: keyof typeof ENDS, sell: Sell | undefined): boolean {
    const { post, at } = this.parts;
    const closing = closingOf(position, at.value, ending === 'liquidate' ? position.liqFee : undefined);
    if (!post.canPay(position.asset, closing)) return false;
    // A partial sale is posted from the owner's locked balance, under the id of the separate closed position.
    post.close(this.step, KINDS[ending], position, closing);
    this.notional = this.notional.minus(position.notional);
    this.changed.push({
      ...position,
      status: ENDS[ending],
      notional: Decimal.zero,
      closedAt: at.t,
      endedAt: this.step.now,
      costAt: undefined,
      salePrice: at.value,
      payout: closing.payout,
      fee: closing.fee,
      shortfall: closing.shortfall,
      sellType: sell && (sell.price === undefined ? 1 : 2),
    });
    if (ending !== 'sell') this.note(position, ENDS[ending], closing.payout);
    else if (sell?.price !== undefined) this.note(position, 'sold', closing.payout);
    return true;
  }

  private note({ id: position, owner }: Position, kind: NoticeKind, amount: Decimal): void {
    const { value } = this.parts.at;
    this.notes.push({ id: this.step.newId(), owner, position, kind, amount, value });
  }
}

/** Number of units of a fund position that no open sell order contains. */
export function freeUnits({ quantity }: Position, sells: readonly Sell[]): Decimal {
  return quantity.minus(sum(sells.map((sell) => sell.quantity)));
}

/**
 * Publishes the event `fundChanged` about a fund position when the step commits; its owner receives it on the
 * private feed topic `fund`.
 */
export function publishChange(step: SqlStep, { owner, id, fund, status }: Position): void {
  step.publish(fundChanged, { owner, id, fund, status });
}
