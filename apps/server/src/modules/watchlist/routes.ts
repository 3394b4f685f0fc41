import { ALERT_CHANNELS, ALERT_LIMIT } from '@exchange/core/price-alert.ts';
import type { FieldsOf } from '@exchange/wire/endpoint.ts';
import * as wire from '@exchange/wire/watchlist.ts';
import { route, type Route, submissionRoute } from '../../platform/http/route.ts';
import type { Alerts, NewAlert } from './alerts.ts';
import type { PriceAlert } from './domain/alert.ts';
import type { Favorites } from './favorites.ts';
import { presentAlert } from './present.ts';

/** The endpoints of favourites and price alerts. */
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

function alertOf(fields: FieldsOf<typeof wire.addAlert>): NewAlert {
  const { symbol, condition, source, price, repeat, pauseMinutes, channels } = fields;
  const requestedChannels = channels.split(',');
  return {
    symbol,
    condition,
    source,
    price,
    repeats: repeat,
    pauseMinutes,
    channels: ALERT_CHANNELS.filter((channel) => requestedChannels.includes(channel)),
  };
}
