import type { Pair } from '@exchange/core/pair.ts';
import type { AlertOrder } from '@exchange/core/price-alert.ts';
import { tradeTypeOf } from '@exchange/wire/codecs.ts';
import type { AlertMessage } from '@exchange/wire/feed.ts';
import type { Alert } from '@exchange/wire/watchlist.ts';
import type { AlertChange, PriceAlert } from './domain/alert.ts';

export function presentAlert(alert: PriceAlert, pair: Pick<Pair, 'base' | 'quote'>): Alert {
  const { from, repeats, pauseMinutes, channels, createdAt, triggeredAt } = alert;
  return {
    ...termsOf(alert, pair),
    from: from.toString(),
    repeat: repeats ? 1 : 0,
    pauseMinutes,
    channels: [...channels],
    createTime: createdAt,
    toldTime: triggeredAt ?? 0,
  };
}

/** Returns a triggered alert in the form in which it is published to the open pages of its owner. */
export function presentTriggered(
  { before, point, base }: Pick<AlertChange, 'base' | 'before' | 'point'>,
  pair: Pick<Pair, 'base' | 'quote' | 'priceDigits'>,
): AlertMessage[number] {
  const { priceDigits } = pair;
  return {
    ...termsOf(before, pair),
    from: (base ?? before.from).rounded(priceDigits, 'halfEven').toPlaces(priceDigits),
    lastPrice: point.price.toPlaces(priceDigits),
    time: point.at,
  };
}

function termsOf(alert: PriceAlert, { base, quote }: Pick<Pair, 'base' | 'quote'>) {
  const { id, symbol, condition, source, price, windowMinutes, average, order } = alert;
  return {
    id,
    symbol,
    baseCoin: base,
    quoteCoin: quote,
    condition,
    source,
    price: price.toString(),
    windowMinutes: windowMinutes ?? 0,
    average: average?.kind ?? '',
    averagePeriod: average?.period ?? 0,
    averageSlow: average?.slow ?? 0,
    averageLevel: average?.level?.toString() ?? '0',
    averageTimer: average?.timer ?? '',
    order: order === undefined ? null : presentOrder(order),
  } as const;
}

function presentOrder({ side, type, price, amount }: AlertOrder): NonNullable<Alert['order']> {
  return {
    tradeType: tradeTypeOf(side),
    orderType: type,
    price: price?.toString() ?? '',
    amount: amount.toString(),
  };
}
