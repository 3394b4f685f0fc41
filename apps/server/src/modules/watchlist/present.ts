import type { Pair } from '@exchange/core/pair.ts';
import type { Alert } from '@exchange/wire/watchlist.ts';
import type { PriceAlert } from './domain/alert.ts';

export function presentAlert(alert: PriceAlert, { base, quote }: Pick<Pair, 'base' | 'quote'>): Alert {
  const {
    id,
    symbol,
    condition,
    source,
    price,
    from,
    repeats,
    pauseMinutes,
    channels,
    createdAt,
    triggeredAt,
  } = alert;
  return {
    id,
    symbol,
    baseCoin: base,
    quoteCoin: quote,
    condition,
    source,
    price: price.toString(),
    from: from.toString(),
    repeat: repeats ? 1 : 0,
    pauseMinutes,
    channels: [...channels],
    createTime: createdAt,
    toldTime: triggeredAt ?? 0,
  };
}
