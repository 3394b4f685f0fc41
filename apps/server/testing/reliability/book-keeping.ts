import { Decimal } from '@exchange/core/decimal.ts';
import type { Fill, Order } from '@exchange/wire/feed.ts';

/** What a user has of a coin altogether, and the part of it that is set aside. */
export interface Holding {
  readonly total: Decimal;
  readonly frozen: Decimal;
}

const BUY = 1;
const OPEN_STATUSES: ReadonlySet<number> = new Set([0, 1]);
const GUARDED: ReadonlySet<string> = new Set(['stopMarket', 'takeProfitMarket', 'trailing']);

/** What the pair's rules say that matters to holds. */
export interface HoldRules {
  readonly marketGuard: Decimal;
  readonly priceDigits: number;
}

/**
 * What a user must have: what there was at the beginning, moved by every fill; and frozen, what each open
 * order has to set aside by the published rules.
 */
export function holdingsAfter(
  start: ReadonlyMap<string, Decimal>,
  fills: Iterable<Fill>,
  orders: readonly Order[],
  rules: HoldRules,
): Map<string, Holding> {
  const totals = new Map(start);
  const add = (coin: string, amount: Decimal): void => {
    totals.set(coin, (totals.get(coin) ?? Decimal.zero).plus(amount));
  };
  for (const fill of fills) {
    const [amount, total] = [Decimal.parse(fill.amount), Decimal.parse(fill.total)];
    const isBuy = fill.tradeType === BUY;
    add(fill.baseCoin, isBuy ? amount : amount.negated());
    add(fill.quoteCoin, isBuy ? total.negated() : total);
    add(fill.feeCoin, Decimal.parse(fill.fee).negated());
  }
  const frozen = frozenBy(orders, rules);
  return new Map(
    [...totals].map(([coin, total]) => [coin, { total, frozen: frozen.get(coin) ?? Decimal.zero }]),
  );
}

function frozenBy(orders: readonly Order[], rules: HoldRules): Map<string, Decimal> {
  const open = orders.filter(isOpen);
  const frozen = new Map<string, Decimal>();
  for (const order of open) {
    const partner =
      order.groupId === ''
        ? undefined
        : open.find(({ id, groupId }) => groupId === order.groupId && id !== order.id);
    const need = holdWith(order, partner, rules);
    const coin = order.tradeType === BUY ? order.quoteCoin : order.baseCoin;
    frozen.set(coin, (frozen.get(coin) ?? Decimal.zero).plus(need));
  }
  return frozen;
}

export function isOpen({ status }: Pick<Order, 'status'>): boolean {
  return OPEN_STATUSES.has(status);
}

/** Of the two legs of an OCO the limit carries the larger need and the stop nothing. */
function holdWith(order: Order, partner: Order | undefined, rules: HoldRules): Decimal {
  const own = holdOf(order, rules);
  if (partner === undefined) return own;
  if (order.orderType !== 'limit') return Decimal.zero;
  const other = holdOf(partner, rules);
  return other.isMore(own) ? other : own;
}

function holdOf(order: Order, { marketGuard, priceDigits }: HoldRules): Decimal {
  if (order.amount === '') return Decimal.parse(order.total);
  const left = Decimal.parse(order.amount).minus(Decimal.parse(order.filledAmount));
  if (order.tradeType !== BUY) return left;
  if (!GUARDED.has(order.orderType)) return Decimal.parse(order.price).timesExact(left);
  const guard = Decimal.parse(order.stopPrice).times(Decimal.one.plus(marketGuard), 'down', priceDigits);
  return guard.timesExact(left);
}
