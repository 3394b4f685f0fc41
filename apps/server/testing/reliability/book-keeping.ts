import { Decimal } from '@exchange/core/decimal.ts';
import type { Fill, Order } from '@exchange/wire/feed.ts';

/** A user's total amount of a coin and its frozen part. */
export interface Holding {
  readonly total: Decimal;
  readonly frozen: Decimal;
}

const BUY = 1;
const OPEN_STATUSES: ReadonlySet<number> = new Set([0, 1]);
const GUARDED: ReadonlySet<string> = new Set(['stopMarket', 'takeProfitMarket', 'trailing']);

/** The rules of a trading pair by which the server computes the held funds of an order. */
export interface HoldRules {
  readonly marketGuard: Decimal;
  readonly priceDigits: number;
}

/**
 * Computes the expected balances of a user, by coin: the initial balances changed by every fill, and the
 * frozen amounts that the open orders require by the published rules.
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
    const hold = holdWith(order, partner, rules);
    const coin = order.tradeType === BUY ? order.quoteCoin : order.baseCoin;
    frozen.set(coin, (frozen.get(coin) ?? Decimal.zero).plus(hold));
  }
  return frozen;
}

export function isOpen({ status }: Pick<Order, 'status'>): boolean {
  return OPEN_STATUSES.has(status);
}

/**
 * Returns the amount that an open order holds. Of an OCO, the limit leg holds the larger amount of the two
 * legs, and the stop leg holds nothing. An order without a partner holds its own amount.
 */
function holdWith(order: Order, partner: Order | undefined, rules: HoldRules): Decimal {
  const ownHold = holdOf(order, rules);
  if (partner === undefined) return ownHold;
  if (order.orderType !== 'limit') return Decimal.zero;
  const partnerHold = holdOf(partner, rules);
  return partnerHold.isMore(ownHold) ? partnerHold : ownHold;
}

function holdOf(order: Order, { marketGuard, priceDigits }: HoldRules): Decimal {
  if (order.amount === '') return Decimal.parse(order.total);
  const remaining = Decimal.parse(order.amount).minus(Decimal.parse(order.filledAmount));
  if (order.tradeType !== BUY) return remaining;
  if (!GUARDED.has(order.orderType)) return Decimal.parse(order.price).timesExact(remaining);
  const guard = Decimal.parse(order.stopPrice).times(Decimal.one.plus(marketGuard), 'down', priceDigits);
  return guard.timesExact(remaining);
}
