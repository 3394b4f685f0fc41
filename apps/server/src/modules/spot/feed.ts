import type { UserId } from '@exchange/core/ids.ts';
import type { OrderMessage, PairsMessage } from '@exchange/wire/feed.ts';
import type { Events } from '../../platform/events.ts';
import type { Feed } from '../../platform/feed/feed.ts';
import { balanceChanged } from '../ledger/index.ts';
import { orderChanged, pairStatusSet, trailingMoved, type MovedTrailingStop } from './events.ts';
import type { ListedForTrading } from './domain/order.ts';
import { presentFill, presentOrderAt } from './present.ts';
import type { Records } from './records.ts';

interface Parts {
  readonly events: Events;
  readonly feed: Feed;
  readonly records: Records;
  readonly spot: { listed(only: Record<string, never>): readonly ListedForTrading[] };
}

/**
 * Publishes changes to the live feed after the commit: to each user their orders and balances, to everybody
 * the status of pairs.
 */
export function feedSpot({ events, feed, records, spot }: Parts): void {
  feed.serve('pairs', (topic) => (topic === 'pairs' ? pairsOf(spot.listed({})) : undefined));
  events.on(pairStatusSet, ({ symbol, status }) => {
    feed.publish('pairs', [{ symbol, status }] satisfies PairsMessage);
  });
  feed.servePrivate('order', () => Promise.resolve({ orders: [], fills: [] } satisfies OrderMessage));
  feed.servePrivate('asset', async (user: UserId) => {
    const { list } = await records.balances(user, undefined);
    return list
      .filter(({ availableCurrency, frozenCurrency }) => availableCurrency !== '0' || frozenCurrency !== '0')
      .map(({ currencyName, availableCurrency, frozenCurrency }) => ({
        currency: currencyName,
        available: availableCurrency,
        frozen: frozenCurrency,
      }));
  });
  events.on(orderChanged, ({ order, state, fills }) => {
    if (!feed.hasPrivateListener('order', order.owner)) return;
    const message: OrderMessage = {
      orders: [presentOrderAt(order, state)],
      fills: fills.map((fill) => presentFill(order, fill)),
    };
    feed.publishPrivate('order', order.owner, message);
  });
  events.on(trailingMoved, (stops) => {
    for (const [owner, moved] of ofListeners(feed, stops))
      feed.publishPrivate('order', owner, { orders: [], fills: [], stops: moved } satisfies OrderMessage);
  });
  events.on(balanceChanged, ({ owner, product, asset, available, frozen }) => {
    if (product !== 'spot' || !feed.hasPrivateListener('asset', owner)) return;
    feed.publishPrivate('asset', owner, [
      { currency: asset, available: available.toString(), frozen: frozen.toString() },
    ]);
  });
}

/** The moved trailing stops grouped by owner, only for owners who are connected. */
function ofListeners(feed: Feed, movedStops: readonly MovedTrailingStop[]) {
  const byOwner = new Map<UserId, NonNullable<OrderMessage['stops']>>();
  for (const { id, owner, pair, price } of movedStops) {
    if (!feed.hasPrivateListener('order', owner)) continue;
    const own = byOwner.get(owner) ?? [];
    own.push({ id, stopPrice: price.toPlaces(pair.priceDigits) });
    byOwner.set(owner, own);
  }
  return byOwner;
}

function pairsOf(listed: readonly ListedForTrading[]): PairsMessage {
  return listed.map(({ pair, status }) => ({ symbol: pair.symbol, status }));
}
