import type { OrderType } from '@exchange/core/spot.ts';
import { labelOf, type ModelCommand } from './model-command.ts';
import type { NaiveAnswer } from './naive/exchange.ts';
import { isStop, type NaiveAmendment, type NaiveOrder } from './naive/order.ts';

const TYPES: readonly OrderType[] = [
  ...([
    'limit',
    'market',
    'stopLimit',
    'stopMarket',
    'takeProfitLimit',
    'takeProfitMarket',
    'trailing',
  ] as const),
];
const REASONS = [
  'user',
  'selfTrade',
  'noLiquidity',
  'limitReached',
  'guardReached',
  'totalTooSmall',
  'expired',
  'oco',
  'oto',
  'balanceShort',
  'wouldCross',
  'fokUnfilled',
  'pairHalted',
];
const REFUSALS = [
  'l.pair_closed',
  'l.pair_cancel_only',
  'l.price_required',
  'l.price_decimals',
  'l.price_band_low',
  'l.price_band_high',
  'l.amount_required',
  'l.amount_or_total',
  'l.amount_decimals',
  'l.amount_min',
  'l.amount_max',
  'l.total_min',
  'l.insufficient_balance',
  'l.open_orders_max',
  'l.post_only_crosses',
  'l.fok_unfilled',
  'l.no_liquidity',
  'l.self_trade',
  'l.order_not_open',
  'l.time_in_force',
  'l.stop_price_required',
  'l.stop_price_side',
  'l.stop_unexpected',
  'l.stop_orders_max',

  'l.no_last_price',
  'l.trail_required',
  'l.activation_side',
  'l.trail_min',
  'l.trail_max',
  'l.field_decimals',
  'l.expire_required',
  'l.expire_past',
  'l.expire_far',
  'l.oco_prices',
  'l.amend_nothing',
  'l.amend_type',
  'l.amend_filled',
  'l.exits_order',
  'l.take_profit_side',
  'l.stop_loss_side',
  'l.take_profit_side_sell',
  'l.stop_loss_side_sell',
];
const MODES = ['cancelTaker', 'cancelMaker', 'cancelBoth', 'decrement'];

/** Cases that must have occurred in a long random run; otherwise the run proves too little. */
const EXPECTED: readonly string[] = [
  ...TYPES.flatMap((type) => [`${type} filled`, `${type} ended partly filled`, `${type} ended unfilled`]),
  ...TYPES.filter(isStop).flatMap((type) => [
    `${type} due`,
    `${type} executed`,
    `${type} ended while waiting`,
    `${type} ended while due`,
  ]),
  ...REASONS.map((reason) => `ended ${reason}`),
  ...REFUSALS.map((key) => `refused ${key}`),
  ...MODES.map((mode) => `self trade ${mode}`),

  'stopMarket leg due',
  'stopLimit leg due',
  'OTO placed',
  'OTOCO placed',
  'OTO released',
  'OTOCO released',
  'OTO released to a trade',
  'OTO released into a due stop',
  'OTOCO released as one order',
  'OTO released with less',
  'restart while an OTO is owed',
  'OCO filled at its limit',
  'OCO cut short by a partial fill',
  'OCO limit leg given up',
  'amended in place',
  'amended to the back',
  'amended into a trade',
  'amend refused for funds',
  ...['waiting', 'placed', 'unfilled', 'tooSmall', 'tooMany', 'pairClosed'].map(
    (status) => `exits ${status}`,
  ),
  'exits as an OCO',
  'exits as a limit',
  'exits as a market',
  'exits as a stop',
  'exits traded at once',
  'bought back as an OCO',
  'bought back as a limit',
  'bought back as a market',
  'bought back as a stop',
  'amended a waiting stop',
  'amended a trailing stop',
  'amended an OCO',
  'amended exits alone',
  'amended exits with the rest',
  'exits added',
  'exits taken away',

  'trailing followed',
  'trailing activated',
  'several due at once',
  'expired before it was executed',
  'partly filled and resting',

  'triggered and resting',
  'cancelled all',
  'restart',
  'restart while due',
  'restart while owed',
  'closed',
  'cancelOnly',
  'open',
];

/**
 * Counts how often each case occurred in a random run, derived from the reference exchange's
 * answers.
 */
export class Coverage {
  readonly counts = new Map<string, number>();
  commands = 0;

  /**
   * Counts the cases of one command. `before` contains, as of before the command, the numbers of due stops, of ended
   * orders whose exits are still to be placed, and of OTOs whose pending orders are still to be placed.
   */
  record(
    { action, now, sequence }: ModelCommand,
    answer: NaiveAnswer,
    before: { due: number; owed: number; otos: number },
  ): void {
    const { refused, changed, trades } = answer;
    this.commands += 1;
    if (refused !== undefined) {
      this.hit(`refused ${refused}`);
      if (action.kind === 'amend' && refused === 'l.insufficient_balance')
        this.hit('amend refused for funds');
      return;
    }
    if (action.kind === 'status') this.hit(action.status);
    if (action.kind === 'restart') {
      this.hit(before.due > 0 ? 'restart while due' : 'restart');
      if (before.owed > 0) this.hit('restart while owed');
      if (before.otos > 0) this.hit('restart while an OTO is owed');
    }
    if (action.kind === 'cancelAll' && answer.count > 1) this.hit('cancelled all');
    if (action.kind === 'amend') {
      const amended = changed.find(({ label }) => label === action.order)!;
      if (trades.length > 0) this.hit('amended into a trade');
      if (amended.group !== '' && changed.length > 1) this.hit('amended an OCO');
      else if (amended.type === 'trailing') this.hit('amended a trailing stop');
      else if (amended.stopStatus === 'waiting') this.hit('amended a waiting stop');
      this.hit(amended.rank === sequence ? 'amended to the back' : 'amended in place');
      if (action.exits !== undefined) this.noteAmendedExits(answer.amendments[0]!);
    }
    if (action.kind === 'place' && changed.some(({ reason }) => reason === 'selfTrade'))
      this.hit(`self trade ${action.selfTrade}`);
    if (changed.filter((order) => order.stopStatus === 'due' && order.triggeredAt === now).length > 1)
      this.hit('several due at once');
    if (answer.followed.length > 0) this.hit('trailing followed');
    if (changed.some(({ activatedAt }) => activatedAt === now)) this.hit('trailing activated');
    if (action.kind === 'oto') this.hit(action.pending === undefined ? 'OTOCO placed' : 'OTO placed');
    if (action.kind === 'release') this.noteRelease(answer, now);
    if (action.kind === 'exits') this.noteExits(changed, sequence, trades.length > 0);
    for (const order of changed) {
      if (order.exitStatus !== undefined) this.hit(`exits ${order.exitStatus}`);
      this.noteStop(order, now, sequence);
      if (order.state === 'open') this.noteOpen(order);
      else this.noteEnd(order, changed);
    }
  }

  /** Names of the expected cases that occurred less often than `least`. */
  missing(least: number): string[] {
    return EXPECTED.filter((name) => (this.counts.get(name) ?? 0) < least);
  }

  add(coverage: Coverage): void {
    this.commands += coverage.commands;
    for (const [name, count] of coverage.counts) this.hit(name, count);
  }

  hit(name: string, times = 1): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + times);
  }

  private noteAmendedExits({ exits, exitsBefore, ...terms }: NaiveAmendment): void {
    const isAlone = terms.price === terms.priceBefore && terms.amount === terms.amountBefore;
    this.hit(isAlone ? 'amended exits alone' : 'amended exits with the rest');
    if (exitsBefore === undefined && exits !== undefined) this.hit('exits added');
    if (exitsBefore !== undefined && exits === undefined) this.hit('exits taken away');
  }

  private noteExits(changed: readonly NaiveOrder[], sequence: number, hasTraded: boolean): void {
    const placed = changed.find(({ label, entry }) => entry !== '' && label.startsWith(labelOf(sequence)));
    if (placed === undefined) return;
    if (placed.group !== '') this.hit('exits as an OCO');
    else this.hit(isStop(placed.type) ? 'exits as a stop' : `exits as a ${placed.type}`);
    if (placed.side === 'buy') this.hit(buyBackCase(placed));
    if (hasTraded) this.hit('exits traded at once');
  }

  private noteRelease({ changed, trades, amendments }: NaiveAnswer, now: number): void {
    const released = changed.filter(({ releasedAt }) => releasedAt === now);
    const [order] = released;
    if (order === undefined) return;
    const isAlone = released.length === 1 && order.group !== '';
    this.hit(
      isAlone ? 'OTOCO released as one order' : order.group === '' ? 'OTO released' : 'OTOCO released',
    );
    if (trades.length > 0) this.hit('OTO released to a trade');
    if (released.some(({ stopStatus }) => stopStatus === 'due')) this.hit('OTO released into a due stop');
    if (amendments.length > 0) this.hit('OTO released with less');
  }

  private noteStop({ type, stopStatus, ...order }: NaiveOrder, now: number, sequence: number): void {
    if (stopStatus === 'due' && order.state === 'open' && order.triggeredAt === now) {
      this.hit(`${type} due`);
      if (order.group !== '') this.hit(`${type} leg due`);
    }
    if (stopStatus === 'triggered' && order.rank === sequence) this.hit(`${type} executed`);
  }

  private noteOpen({ resting, filledAmount, stopStatus }: NaiveOrder): void {
    if (resting && filledAmount.isPositive()) this.hit('partly filled and resting');
    if (resting && stopStatus === 'triggered') this.hit('triggered and resting');
  }

  private noteEnd(order: NaiveOrder, changed: readonly NaiveOrder[]): void {
    const { type, state, reason, stopStatus, filledAmount, group } = order;
    if (reason !== '') this.hit(`ended ${reason}`);
    if (stopStatus === 'due' && reason === 'expired') this.hit('expired before it was executed');
    if (type === 'limit' && group !== '' && state === 'filled') this.hit('OCO filled at its limit');
    if (reason === 'oco' && changed.some((leg) => leg.group === group && leg.state === 'open'))
      this.hit(type === 'limit' ? 'OCO limit leg given up' : 'OCO cut short by a partial fill');
    if (order.otoRole === 'pending' && order.releasedAt === undefined) return;
    if (stopStatus === 'waiting') this.hit(`${type} ended while waiting`);
    else if (stopStatus === 'due') this.hit(`${type} ended while due`);
    else if (state === 'filled') this.hit(`${type} filled`);
    else this.hit(filledAmount.isPositive() ? `${type} ended partly filled` : `${type} ended unfilled`);
  }
}

/** The case name for the exits of a sale: an OCO or a single order. */
function buyBackCase({ group, type }: NaiveOrder): string {
  if (group !== '') return 'bought back as an OCO';
  return isStop(type) ? 'bought back as a stop' : `bought back as a ${type}`;
}
