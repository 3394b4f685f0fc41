import { Decimal } from '@exchange/core/decimal.ts';
import type { Pair } from '@exchange/core/pair.ts';
import { type StopDirection, type TimeInForce, trailOfPercent } from '@exchange/core/spot.ts';
import { ORDER_STATUS } from '@exchange/wire/spot.ts';
import { useMemo } from 'react';
import { withUnit } from '../format/decimals.ts';
import { formatDecimal, formatTime, formatPercent, formatPrice } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import { useDigits } from '../market/digits.ts';
import type { Tone } from '../ui/parts.tsx';
import { EXIT_LABELS, type ExitField } from './amend-exits.ts';
import type { TicketKind } from './order-kinds.ts';
import {
  endsItsList,
  isOfOto,
  type CancelFilter,
  type Order,
  type PlacedOco,
  type OrderDetail,
} from './shapes.ts';
import { isByTotal, positive, trailOf } from './ticket-figures.ts';
import type { TicketSummary } from './ticket-summary.ts';
import { type SelfTradeMode, type Ticket, type TicketPair, ticketFields } from './ticket.ts';

type KindOf = Pick<Order, 'orderType' | 'groupId' | 'entryId' | 'exitStatus' | 'listRole'>;
type WithActivation = Pick<Order, 'activationPrice' | 'activatedTime'>;

/** Functions that format the properties of an order as text, for both apps. */
export interface OrderWords {
  /** Returns the name of an order type: `Limit`, `Stop-market`, `OCO`, … */
  readonly type: (type: TicketKind) => string;
  /**
   * Returns the type of an order with the OCO or OTO that it belongs to, or with the take-profit or stop-loss
   * that it has: `OCO · Stop-market`, `Limit + TP/SL`.
   */
  readonly kind: (order: KindOf) => string;
  /**
   * Returns the parts of the text that `kind` returns, between which a line may break: `OCO ·` and
   * `Stop-market`.
   */
  readonly kindParts: (order: KindOf) => readonly string[];
  /** Returns the text of the status of an order: `Waiting`, `Open`, `Partly filled`, `Expired`, … */
  readonly status: (order: Order) => string;
  /**
   * Returns the sentence that says why an order ended; empty for open and filled orders, and for reasons that
   * this build of the app does not know.
   */
  readonly reason: (order: Pick<Order, 'reason'>) => string;
  /** Returns the text of the time in force: `GTC`, `IOC`, `FOK`, or the expiry time. */
  readonly validity: (order: Pick<Order, 'timeInForce' | 'expireTime'>) => string;
  readonly timeInForce: (timeInForce: TimeInForce) => string;
  /**
   * Returns the text of the condition of an order's trigger, such as `≥ 61,000.00`; empty for an order
   * without a trigger, and for a trailing stop that is not activated.
   */
  readonly condition: (
    order: Pick<Order, 'stopPrice' | 'direction'> & WithActivation,
    priceDigits: number,
  ) => string;
  /**
   * Returns the text of a trailing stop's activation price: the price at which the stop will be activated, or
   * that it was activated, such as `Activated at 62,000.00`; with `withTime` also when. Empty for an order
   * without an activation price.
   */
  readonly activation: (order: WithActivation, priceDigits: number, look?: 'withTime') => string;
  /** Returns the text of the distance of a trailing stop, such as `1.50%`; empty for other orders. */
  readonly trail: (order: Pick<Order, 'trailPct'>) => string;
  readonly selfTrade: (mode: SelfTradeMode) => string;
}

const DIRECTION_SIGNS: Readonly<Record<StopDirection, string>> = { gte: '≥', lte: '≤' };

const TIME_KEYS = { GTC: 'gtcShort', GTT: 'gttShort', IOC: 'iocShort', FOK: 'fokShort' } as const;
const END_REASONS = [
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
  'countdown',
  'disconnected',
  'grid',
] as const;
type EndReason = (typeof END_REASONS)[number];

const STATUS_KEYS = ['status0', 'status1', 'status2', 'status3', 'status4', 'status5'] as const;
type StatusKey =
  | (typeof STATUS_KEYS)[number]
  | 'statusWaiting'
  | 'statusPending'
  | 'statusExpired'
  | 'statusPartlyExpired';

/**
 * Returns the translation key of an order's status in namespace `orders`. Orders that wait for another order,
 * stops that have not triggered, and expired orders have keys of their own.
 */
export function statusKey({
  status,
  stopStatus,
  reason,
  listRole,
}: Pick<Order, 'status' | 'stopStatus' | 'reason' | 'listRole'>): StatusKey {
  if (status === ORDER_STATUS.open && listRole === 'pending') return 'statusPending';
  if (status === ORDER_STATUS.open && stopStatus === 'waiting') return 'statusWaiting';
  if (reason === 'expired' && status === ORDER_STATUS.cancelled) return 'statusExpired';
  if (reason === 'expired' && status === ORDER_STATUS.partlyCancelled) return 'statusPartlyExpired';
  return STATUS_KEYS[status] ?? 'status5';
}

/** Returns the colour in which the status of an order is shown. */
export function statusTone({ status }: Pick<Order, 'status'>): Tone {
  if (status === ORDER_STATUS.open || status === ORDER_STATUS.partlyFilled) return 'accent';
  if (status === ORDER_STATUS.filled) return 'good';
  return status === ORDER_STATUS.rejected ? 'bad' : 'neutral';
}

/**
 * Parses the reason why an order ended; undefined if there is none, and for reasons that this build of the app does not
 * know.
 */
function endReasonOf(reason: string): EndReason | undefined {
  return END_REASONS.find((endReason) => endReason === reason);
}

/** The functions that format orders, in the interface language. */
export function useOrderWords(): OrderWords {
  const t = useWords('trade');
  const tOrders = useWords('orders');
  const locale = useLocale();
  return useMemo(() => {
    const kindParts = ({ orderType, groupId, entryId, exitStatus, listRole }: KindOf): readonly string[] => {
      if (isOfOto({ listRole })) {
        const parts = [`${t(groupId === '' ? 'oto' : 'otoco')} ·`, t(orderType)];
        return listRole === 'pending' ? [...parts, `· ${tOrders('statusPending')}`] : parts;
      }
      if (entryId !== '') return [`${t('tpsl')} ·`, t(orderType)];
      if (groupId !== '') return [`${t('oco')} ·`, t(orderType)];
      return exitStatus === 'waiting' ? [t(orderType), `+ ${t('tpsl')}`] : [t(orderType)];
    };
    return {
      type: (type) => t(type),
      kind: (order) => kindParts(order).join(' '),
      kindParts,
      status: (order) => tOrders(statusKey(order)),
      reason: ({ reason }) => {
        const endReason = endReasonOf(reason);
        return endReason === undefined ? '' : tOrders(`reason.${endReason}`);
      },
      validity: ({ timeInForce, expireTime }) =>
        timeInForce === 'GTT' && expireTime > 0
          ? t('until', { time: formatTime(expireTime, locale, 'minute') })
          : t(TIME_KEYS[timeInForce]),
      timeInForce: (timeInForce) => t(TIME_KEYS[timeInForce]),
      condition: ({ stopPrice, direction, activationPrice, activatedTime }, priceDigits) =>
        stopPrice === '' || direction === '' || (activationPrice !== '' && activatedTime === 0)
          ? ''
          : `${DIRECTION_SIGNS[direction]} ${formatPrice(stopPrice, locale, priceDigits)}`,
      activation: ({ activationPrice, activatedTime }, priceDigits, look) => {
        if (activationPrice === '') return '';
        const price = formatPrice(activationPrice, locale, priceDigits);
        if (activatedTime === 0) return t('activatesAt', { price });
        const time = formatTime(activatedTime, locale);
        return look === 'withTime' ? t('activatedAtTime', { price, time }) : t('activatedAt', { price });
      },
      trail: ({ trailPct }) =>
        trailPct === '' ? '' : formatPercent(trailOfPercent(Decimal.parse(trailPct)).toString(), locale),
      selfTrade: (mode) => t(`stp.${mode}`),
    };
  }, [t, tOrders, locale]);
}

interface Sentence {
  readonly look: 'success' | 'warning';
  readonly text: string;
}

type OrderPart = Pick<
  Order,
  | 'symbol'
  | 'baseCoin'
  | 'quoteCoin'
  | 'tradeType'
  | 'price'
  | 'amount'
  | 'total'
  | 'stopPrice'
  | 'direction'
  | 'stopStatus'
  | 'trailPct'
  | 'activationPrice'
>;

/**
 * Returns a function that describes an order as text: `buy 0.001 BTC at 95,000.00 USDT`; a stop that has not triggered
 * is described with its trigger condition.
 */
function useOrderPhrase() {
  const t = useWords('trade');
  const locale = useLocale();
  return (order: OrderPart, priceDigits: number): string => {
    const { baseCoin, quoteCoin, amount, total, price, stopPrice, direction, activationPrice, trailPct } =
      order;
    const side = order.tradeType === 1 ? 'Buy' : 'Sell';
    const priceOf = (text: string) => withUnit(formatPrice(text, locale, priceDigits), quoteCoin);
    const size =
      amount === ''
        ? withUnit(formatDecimal(total, locale), quoteCoin)
        : withUnit(formatDecimal(amount, locale), baseCoin);
    const form = price !== '' ? 'limit' : amount === '' ? 'total' : 'market';
    const phrase = t(`what.${form}${side}`, { amount: size, price: price === '' ? '' : priceOf(price) });
    if (order.stopStatus !== 'waiting') return phrase;
    if (trailPct !== '') {
      const percent = formatPercent(trailOfPercent(Decimal.parse(trailPct)).toString(), locale);
      return activationPrice === ''
        ? t('what.trailing', { what: phrase, percent })
        : t('what.trailingFrom', { what: phrase, percent, price: priceOf(activationPrice) });
    }
    if (stopPrice === '' || direction === '') return phrase;
    return t('what.when', { what: phrase, condition: `${DIRECTION_SIGNS[direction]} ${priceOf(stopPrice)}` });
  };
}

/**
 * Returns a function that returns the notification about a newly placed order or OCO. That about a single order
 * includes the amount that was filled immediately, if any.
 */
export function usePlacedSentence({ priceDigits }: Pick<TicketPair, 'priceDigits'>) {
  const t = useWords('trade');
  const locale = useLocale();
  const phraseOf = useOrderPhrase();
  return (placed: Order | PlacedOco): Sentence => {
    if ('orders' in placed) {
      const [firstLeg, secondLeg] = placed.orders.toSorted(
        (left, right) => left.stopPrice.length - right.stopPrice.length,
      );
      const [limit, stop] = [firstLeg, secondLeg].map((leg) =>
        leg === undefined ? '' : phraseOf(leg, priceDigits),
      );
      return { look: 'success', text: t('placedOco', { limit: limit ?? '', stop: stop ?? '' }) };
    }
    const { status, stopStatus, avgPrice, baseCoin, quoteCoin, tradeType } = placed;
    const phrase = phraseOf(placed, priceDigits);
    const filled = t(tradeType === 1 ? 'filledBuy' : 'filledSell', {
      amount: withUnit(formatDecimal(placed.filledAmount, locale), baseCoin),
      price: withUnit(formatPrice(avgPrice || '0', locale, priceDigits), quoteCoin),
    });
    if (stopStatus === 'waiting') return { look: 'success', text: t('placedStop', { what: phrase }) };
    switch (status) {
      case ORDER_STATUS.filled:
        return { look: 'success', text: filled };
      case ORDER_STATUS.partlyFilled:
        return { look: 'success', text: t('partlyFilled', { filled, what: phrase }) };
      case ORDER_STATUS.partlyCancelled:
        return { look: 'warning', text: t('cancelledRest', { filled }) };
      case ORDER_STATUS.cancelled:
        return { look: 'warning', text: t('notFilled', { what: phrase }) };
      default:
        return { look: 'success', text: t('placed', { what: phrase }) };
    }
  };
}

/**
 * Functions that return the texts about cancellations. `one`: of one order, with the amount that was filled before, if
 * any, or of its whole OCO or OTO. `all`: of all orders, or only those of one side or one pair.
 */
export function useCancelledSentences() {
  const t = useWords('orders');
  const locale = useLocale();
  const phraseOf = useOrderPhrase();
  const digitsOf = useDigits();
  return {
    /**
     * Returns the message that one order was cancelled. `before` is the order before its cancellation, which
     * still has its trigger; `after` is the server's response.
     */
    one: (before: Order, after: Pick<Order, 'filledAmount'>): string => {
      const phrase = phraseOf(before, digitsOf(before.symbol).price);
      if (endsItsList(before)) return t('otoCancelled', { what: phrase });
      if (before.groupId !== '') return t('ocoCancelled', { what: phrase });
      if (!Decimal.parse(after.filledAmount).isPositive()) return t('orderCancelled', { what: phrase });
      const filled = withUnit(formatDecimal(after.filledAmount, locale), before.baseCoin);
      return t('orderCancelledPart', { what: phrase, filled });
    },
    all: (count: number, { baseCoin, quoteCoin, tradeType }: CancelFilter): string => {
      const key = { '1': 'buysCancelled', '2': 'sellsCancelled', '': 'allCancelled' } as const;
      const pairs = baseCoin === undefined ? t('everyPair') : `${baseCoin}/${quoteCoin ?? ''}`;
      return t(key[tradeType ?? ''], { count, pairs });
    },
  };
}

/**
 * Describes what a ticket's order with a trigger would do: "If the last price falls to 58,000 USDT or below, sell 0.1
 * BTC at market." Undefined without a trigger, and while price or amount is missing.
 */
export function useTriggerSentence(ticket: Ticket, summary: TriggerFigures, pair: Pair): string | undefined {
  const t = useWords('trade');
  const locale = useLocale();
  return triggerSentence({ t, locale }, ticket, summary, pair);
}

/** Figures of an order ticket from which the text about its trigger is made. */
export type TriggerFigures = Pick<TicketSummary, 'trigger' | 'amount'>;

/** Translate function and locale, for texts about orders that are made outside of components. */
export interface TradeLanguage {
  readonly t: ReturnType<typeof useWords<'trade'>>;
  readonly locale: ReturnType<typeof useLocale>;
}

/**
 * Returns the sentence that describes what an order with a trigger would do, as `useTriggerSentence` does,
 * but for code outside of components; undefined without a trigger, and while price or amount is missing.
 */
export function triggerSentence(
  { t, locale }: TradeLanguage,
  ticket: Ticket,
  summary: TriggerFigures,
  pair: Pair,
): string | undefined {
  const price = (value: Decimal): string =>
    withUnit(formatPrice(value.toString(), locale, pair.priceDigits), pair.quote);
  const { trigger, amount } = summary;
  if (trigger === undefined) return undefined;

  const size = isByTotal(ticket) ? positive(ticket.total) : amount;
  if (size === undefined || !size.isPositive()) return undefined;
  const amountText = withUnit(
    formatDecimal(size.toString(), locale),
    isByTotal(ticket) ? pair.quote : pair.base,
  );
  const { hasPrice, hasTrail } = ticketFields(ticket);
  const limit = positive(ticket.type === 'oco' ? ticket.stopLimitPrice : hasPrice ? ticket.price : '');
  const isBuy = ticket.side === 'buy';
  if (hasPrice && ticket.type !== 'oco' && limit === undefined) return undefined;
  const action =
    limit === undefined
      ? t(isByTotal(ticket) ? 'act.spend' : isBuy ? 'act.buy' : 'act.sell', { what: amountText })
      : t(isBuy ? 'act.buyLimit' : 'act.sellLimit', { what: amountText, price: price(limit) });

  const trail = trailOf(ticket);
  if (hasTrail && trail !== undefined) {
    const trailing = t(isBuy ? 'trigger.rises' : 'trigger.falls', {
      percent: formatPercent(trail.toString(), locale),
      price: price(trigger.price),
      action,
    });
    const activation = positive(ticket.activation);
    return activation === undefined
      ? trailing
      : t('trigger.activated', { price: price(activation), follows: trailing });
  }
  const stop = t(`trigger.${trigger.direction}`, { price: price(trigger.price), action });
  if (ticket.type !== 'oco') return stop;
  const limitPrice = positive(ticket.price);
  if (limitPrice === undefined) return undefined;
  return t(isBuy ? 'trigger.ocoBuy' : 'trigger.ocoSell', {
    what: amountText,
    price: price(limitPrice),
    stop,
  });
}

type Amendment = OrderDetail['amendments'][number];

const EXITS = Object.keys(EXIT_LABELS) as readonly ExitField[];

/**
 * Returns a function that describes an order amendment with one phrase per changed field, such as `Price 48,000.00 →
 * 48,100.00`.
 */
export function useAmendmentWords(priceDigits: number): (change: Amendment) => readonly string[] {
  const t = useWords('orders');
  const trade = useWords('trade');
  const locale = useLocale();
  const price = (text: string) => (text === '' ? t('amendedNone') : formatPrice(text, locale, priceDigits));
  const amount = (text: string) => formatDecimal(text, locale);
  return (change) => {
    const { stopPrice, stopPriceBefore, priceBefore, amountBefore } = change;
    const phrases: string[] = [];
    if (stopPrice !== stopPriceBefore)
      phrases.push(t('amendedStop', { before: price(stopPriceBefore), after: price(stopPrice) }));
    if (change.price !== priceBefore)
      phrases.push(t('amendedPrice', { before: price(priceBefore), after: price(change.price) }));
    if (change.amount !== amountBefore)
      phrases.push(t('amendedAmount', { before: amount(amountBefore), after: amount(change.amount) }));
    for (const exit of EXITS) {
      const [oldPrice, newPrice] = [change[`${exit}Before`], change[exit]];
      if (oldPrice !== newPrice)
        phrases.push(`${trade(EXIT_LABELS[exit])} ${price(oldPrice)} → ${price(newPrice)}`);
    }
    return phrases;
  };
}
