import { Decimal } from '@exchange/core/decimal.ts';
import {
  ALERT_CHANNELS,
  ALERT_LIMIT,
  averageTerms,
  hasPeriod,
  isCross,
  type AlertOrder,
  type AverageTerms,
} from '@exchange/core/price-alert.ts';
import { refusal, Refused } from '@exchange/core/refusal.ts';
import type { FieldsOf } from '@exchange/wire/endpoint.ts';
import * as wire from '@exchange/wire/watchlist.ts';
import { route, type Route, submissionRoute } from '../../platform/http/route.ts';
import type { Alerts, NewAlert } from './alerts.ts';
import type { PriceAlert } from './domain/alert.ts';
import type { Favorites } from './favorites.ts';
import { presentAlert } from './present.ts';

/** Returns the handlers of the endpoints of favorites and price alerts. */
export function watchlistRoutes({ favorites, alerts }: { favorites: Favorites; alerts: Alerts }): Route[] {
  const present = (alert: PriceAlert) => presentAlert(alert, alerts.pairOf(alert.symbol));
  return [
    route(wire.favoriteList, async (_, { session }) => ({ symbols: await favorites.list(session.userId) })),
    route(wire.addFavorite, async ({ symbol }, { session }) => ({
      symbols: await favorites.add(session.userId, symbol),
    })),
    route(wire.removeFavorite, async ({ symbol }, { session }) => ({
      symbols: await favorites.remove(session.userId, symbol),
    })),
    route(wire.alertList, async ({ symbol }, { session }) => ({
      list: (await alerts.list(session.userId, symbol)).map(present),
      limit: ALERT_LIMIT,
    })),
    submissionRoute(wire.addAlert, {
      operation: 'alerts.add',
      serve: async (fields, { session, submission }) =>
        present(await alerts.add(session.userId, alertOf(fields), submission)),
    }),
    route(wire.removeAlert, async ({ id }, { session }) => ({
      count: await alerts.remove(session.userId, id),
    })),
  ];
}

/**
 * Returns the terms of an alert from the fields of a request. Fields that do not belong to the alert's
 * condition are ignored.
 */
function alertOf(fields: FieldsOf<typeof wire.addAlert>): NewAlert {
  const { symbol, condition, source, price, repeat, pauseMinutes, windowMinutes, channels } = fields;
  const requestedChannels = channels.split(',');
  return {
    symbol,
    condition,
    source,
    price: isCross(condition) ? Decimal.zero : required(price, 'price'),
    repeats: repeat,
    pauseMinutes,
    windowMinutes: condition === 'move' ? windowMinutes : undefined,
    average: isCross(condition) ? averageOf(fields) : undefined,
    channels: ALERT_CHANNELS.filter((channel) => requestedChannels.includes(channel)),
    order: orderOf(fields),
  };
}

function averageOf(fields: FieldsOf<typeof wire.addAlert>): AverageTerms {
  const kind = required(fields.average, 'average');
  return averageTerms({
    kind,
    period: hasPeriod(kind) ? required(fields.averagePeriod, 'averagePeriod') : 0,
    slow: fields.averageSlow,
    level: fields.averageLevel,
    timer: required(fields.averageTimer, 'averageTimer'),
  });
}

/**
 * Returns the order that an alert places, from the fields of a request; undefined if none of the order's
 * fields was sent. Refuses an order without side, type or amount.
 */
function orderOf(fields: FieldsOf<typeof wire.addAlert>): AlertOrder | undefined {
  const { tradeType, orderType, orderPrice, orderAmount } = fields;
  if ([tradeType, orderType, orderPrice, orderAmount].every((value) => value === undefined)) return undefined;
  return {
    side: required(tradeType, 'tradeType'),
    type: required(orderType, 'orderType'),
    price: orderPrice,
    amount: required(orderAmount, 'orderAmount'),
  };
}

function required<Value>(value: Value | undefined, field: string): Value {
  if (value !== undefined) return value;
  throw new Refused(refusal('invalidField', 'l.field_required', { field }));
}
