import { Decimal, sum } from '@exchange/core/decimal.ts';
import { bought, closingOf, firstCostAt, partOf } from '@exchange/core/fund.ts';
import type { Instant } from '@exchange/core/time.ts';
import type { SqlStep } from '../../platform/sequencer/step.ts';
import type { Ledger } from '../ledger/index.ts';
import { fundChanged } from './events.ts';
import { chargedDay, judged, type Position, type Sell, type ValueAt } from './domain.ts';
import type { FundPosts } from './posts.ts';
import {
  endSells,
  insertCosts,
  leaveNotices,
  savePositions,
  type Cost,
  type Note,
  type NoticeKind,
} from './repository.ts';

interface JudgingParts {
  readonly ledger: Ledger;
  readonly post: FundPosts;
  readonly at: ValueAt;
  /** Official values by their 00:00 UTC; undefined: nothing is charged, as older steps did. */
  readonly days: ReadonlyMap<Instant, Decimal> | undefined;
}

const ENDS = { sell: 'sold', liquidate: 'liquidated', exit: 'exited' } as const;
const KINDS = { sell: 'fund.sold', liquidate: 'fund.liquidated', exit: 'fund.exited' } as const;

/** Positions of one fund and one unit value within a step: what becomes of each, kept until all are stored at once. */
export class JudgedChunk {
  private readonly step: SqlStep;
  private readonly parts: JudgingParts;
  private readonly changed: Position[] = [];
  private readonly executed: string[] = [];
  private readonly cancelled: string[] = [];
  private readonly notes: Note[] = [];
  private readonly costs: Cost[] = [];
  private notional = Decimal.zero;

  constructor(step: SqlStep, parts: JudgingParts) {
    this.step = step;
    this.parts = parts;
  }

  /**
   * Charges what days are due up to the value's second, then does to the position what the value demands. What the house
   * cannot pay now waits.
   */
  judge(before: Position, every: readonly Sell[], isClosed: boolean): void {
    if (this.parts.ledger.isHalted(before.asset)) return;
    const position = this.charged(before);
    if (position === undefined) return;
    this.decide(position, every, isClosed);
    const isStored = this.changed.some(({ id }) => id === position.id);
    if (position !== before && !isStored) this.changed.push(position);
  }

  /** The position after its due days; undefined, with nothing done, where the value of one of them is not known. */
  private charged(before: Position): Position | undefined {
    const { days, post, at } = this.parts;
    if (days === undefined || before.status !== 'holding') return before;
    const costs: Cost[] = [];
    let position = before;
    while (position.costAt !== undefined && position.costAt <= at.t) {
      const value = days.get(position.costAt);
      if (value === undefined) return undefined;
      const { cost, charged } = chargedDay(position, position.costAt, value);
      costs.push(cost);
      position = charged;
    }
    for (const { amount } of costs) post.cost(this.step, before, amount);
    this.costs.push(...costs);
    return position;
  }

  private decide(position: Position, every: readonly Sell[], isClosed: boolean): void {
    const sells = every.filter((sell) => sell.position === position.id);
    const verdict = judged(position, sells, this.parts.at, isClosed);
    if (verdict.kind === 'open') this.open(position);
    else if (verdict.kind === 'giveBack') this.giveBack(position);
    else if (verdict.kind === 'warn') {
      this.changed.push({ ...position, warned: verdict.warned });
      this.note(position, 'warned', Decimal.ofWhole(verdict.warned));
    } else if (verdict.kind === 'sell') this.sell(position, verdict.sells, sells);
    else if (verdict.kind !== 'none' && this.close(position, verdict.kind, undefined))
      this.cancelled.push(...sells.map(({ id }) => id));
  }

  /** Gives back a margin that was not used. */
  giveBack(position: Position): void {
    this.parts.post.refunded(this.step, position);
    this.notional = this.notional.minus(position.notional);
    const { now } = this.step;
    this.changed.push({ ...position, status: 'cancelled', notional: Decimal.zero, endedAt: now });
    this.note(position, 'cancelled', position.margin);
  }

  /** Stores everything; gives the positions that changed, as they are now. */
  async save(fund: string): Promise<readonly Position[]> {
    const { sql, now } = this.step;
    await insertCosts(sql, this.costs, now);
    await savePositions(sql, this.changed, { fund, change: this.notional });
    await endSells(sql, this.executed, 'executed', now);
    await endSells(sql, this.cancelled, 'cancelled', now);
    await leaveNotices(sql, this.notes, now);
    return this.changed;
  }

  private open(position: Position): void {
    const { t, value } = this.parts.at;
    const { quantity, usedMargin, notional } = bought(
      position.margin,
      position.leverage,
      value,
      position.step,
    );
    if (!quantity.isPositive()) return this.giveBack(position);
    this.parts.post.bought(this.step, position, usedMargin);
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

  /** Executes orders one after another, each as a position of its own that ends, as long as the house can pay. */
  private sell(position: Position, due: readonly Sell[], every: readonly Sell[]): void {
    let rest = position;
    const done: string[] = [];
    for (const sell of due) {
      const isAll = !sell.quantity.isLess(rest.quantity);
      const { margin, costs } = partOf(rest, sell.quantity);
      const notional = isAll ? rest.notional : sell.quantity.times(rest.buyPrice, 'down', 8);
      const part = { ...rest, quantity: sell.quantity, margin, costs, notional };
      const sold = isAll ? rest : { ...part, id: this.step.newId(), parent: position.id, origin: undefined };
      if (!this.close(sold, 'sell', sell)) break;
      done.push(sell.id);
      if (isAll) {
        const left = every.filter(({ id }) => !done.includes(id));
        this.cancelled.push(...left.map(({ id }) => id));
        this.executed.push(...done);
        return;
      }
      rest = {
        ...rest,
        quantity: rest.quantity.minus(sell.quantity),
        margin: rest.margin.minus(margin),
        costs: rest.costs.minus(costs),
        notional: rest.notional.minus(notional),
      };
    }
    this.executed.push(...done);
    if (done.length > 0) this.changed.push(rest);
  }

  private close(position: Position, how: keyof typeof ENDS, sell: Sell | undefined): boolean {
    const { post, at } = this.parts;
    const closing = closingOf(position, at.value, how === 'liquidate' ? position.liqFee : undefined);
    if (!post.canPay(position.asset, closing)) return false;
    // A part of a position moves what is locked for the whole of it, under the whole's name.
    post.closed(this.step, KINDS[how], position, closing);
    this.notional = this.notional.minus(position.notional);
    this.changed.push({
      ...position,
      status: ENDS[how],
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
    if (how !== 'sell') this.note(position, ENDS[how], closing.payout);
    else if (sell?.price !== undefined) this.note(position, 'sold', closing.payout);
    return true;
  }

  private note({ id: position, owner }: Position, kind: NoticeKind, amount: Decimal): void {
    const { value } = this.parts.at;
    this.notes.push({ id: this.step.newId(), owner, position, kind, amount, value });
  }
}

/** Units of a position that are in no order. */
export function freeUnits({ quantity }: Position, sells: readonly Sell[]): Decimal {
  return quantity.minus(sum(sells.map((sell) => sell.quantity)));
}

/** Publishes with the step that a position changed. */
export function tell(step: SqlStep, { owner, id, fund, status }: Position): void {
  step.publish(fundChanged, { owner, id, fund, status });
}
