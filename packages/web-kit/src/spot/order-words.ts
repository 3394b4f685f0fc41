import { Decimal } from '@exchange/core/decimal.ts';
import { trailOfPercent, type StopDirection, type TimeInForce } from '@exchange/core/spot.ts';
import { ORDER_STATUS } from '@exchange/wire/spot.ts';
import { useMemo } from 'react';
import { formatMoment, formatPercent, formatPrice } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import type { Tone } from '../ui/parts.tsx';
import type { TicketKind } from './order-kinds.ts';
import type { Order } from './shapes.ts';
import type { SelfTradeMode } from './ticket.ts';

/** What both apps call the parts of an order. */
export interface OrderWords {
  /** `Limit`, `Stop-market`, `OCO`, … */
  readonly type: (type: TicketKind) => string;
  /** An order's type with what it belongs to: `OCO · Stop-market`. */
  readonly kind: (order: Order) => string;
  /** `Waiting`, `Open`, `Partly filled`, `Expired`, … */
  readonly status: (order: Order) => string;
  /** Why an order ended, as a sentence; empty while it is open and where it was simply filled. */
  readonly reason: (order: Pick<Order, 'reason'>) => string;
  /** `GTC`, `IOC`, `FOK`, or until when. */
  readonly validity: (order: Pick<Order, 'timeInForce' | 'expireTime'>) => string;
  readonly timeInForce: (timeInForce: TimeInForce) => string;
  /** What has to happen: `≥ 61,000.00`; empty without a stop. */
  readonly condition: (order: Pick<Order, 'stopPrice' | 'direction'>, priceDigits: number) => string;
  /** A trailing stop's distance, `1.50%`; empty for others. */
  readonly trail: (order: Pick<Order, 'trailPct'>) => string;
  readonly selfTrade: (mode: SelfTradeMode) => string;
}

export const DIRECTION_SIGNS: Readonly<Record<StopDirection, string>> = { gte: '≥', lte: '≤' };

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
  'wouldCross',
  'fokUnfilled',
  'pairHalted',
] as const;
export type EndReason = (typeof END_REASONS)[number];

const STATUS_KEYS = ['status0', 'status1', 'status2', 'status3', 'status4', 'status5'] as const;
type StatusKey = (typeof STATUS_KEYS)[number] | 'statusWaiting' | 'statusExpired' | 'statusPartlyExpired';

/** The key of an order's state, in namespace `orders`: a waiting stop waits, an order past its time has expired. */
export function statusKey({
  status,
  stopStatus,
  reason,
}: Pick<Order, 'status' | 'stopStatus' | 'reason'>): StatusKey {
  if (status === ORDER_STATUS.open && stopStatus === 'waiting') return 'statusWaiting';
  if (reason === 'expired' && status === ORDER_STATUS.cancelled) return 'statusExpired';
  if (reason === 'expired' && status === ORDER_STATUS.partlyCancelled) return 'statusPartlyExpired';
  return STATUS_KEYS[status] ?? 'status5';
}

/** How an order's state is coloured. */
export function statusTone({ status }: Pick<Order, 'status'>): Tone {
  if (status === ORDER_STATUS.open || status === ORDER_STATUS.partlyFilled) return 'accent';
  if (status === ORDER_STATUS.filled) return 'good';
  return status === ORDER_STATUS.rejected ? 'bad' : 'neutral';
}

/** The reason that the wire names; undefined for none and for reasons that this build does not know. */
export function endReasonOf(reason: string): EndReason | undefined {
  return END_REASONS.find((known) => known === reason);
}

/** The words for orders in the language in use. */
export function useOrderWords(): OrderWords {
  const t = useWords('trade');
  const tOrders = useWords('orders');
  const locale = useLocale();
  return useMemo(
    () => ({
      type: (type) => t(type),
      kind: ({ orderType, groupId }) => (groupId === '' ? t(orderType) : `${t('oco')} · ${t(orderType)}`),
      status: (order) => tOrders(statusKey(order)),
      reason: ({ reason }) => {
        const known = endReasonOf(reason);
        return known === undefined ? '' : tOrders(`reason.${known}`);
      },
      validity: ({ timeInForce, expireTime }) =>
        timeInForce === 'GTT' && expireTime > 0
          ? t('until', { time: formatMoment(expireTime, locale, 'minute') })
          : t(TIME_KEYS[timeInForce]),
      timeInForce: (timeInForce) => t(TIME_KEYS[timeInForce]),
      condition: ({ stopPrice, direction }, priceDigits) =>
        stopPrice === '' || direction === ''
          ? ''
          : `${DIRECTION_SIGNS[direction]} ${formatPrice(stopPrice, locale, priceDigits)}`,
      trail: ({ trailPct }) =>
        trailPct === '' ? '' : formatPercent(trailOfPercent(Decimal.parse(trailPct)).toString(), locale),
      selfTrade: (mode) => t(`stp.${mode}`),
    }),
    [t, tOrders, locale],
  );
}
