import type { UserId } from '@exchange/core/ids.ts';
import type { Pair } from '@exchange/core/pair.ts';
import type { OrderMessage, PairsMessage } from '@exchange/wire/feed.ts';
import type { Events } from '../../platform/events.ts';
import type { Feed } from '../../platform/feed/feed.ts';
import { assetHaltChanged, balanceChanged } from '../ledger/index.ts';
import type { TradingPauses } from '../trading-pauses/index.ts';
import { algoChanged, orderChanged, pairStatusSet, trailingMoved, type MovedTrailingStop } from './events.ts';
import type { ListedForTrading } from './domain/order.ts';
import { presentFill, presentOrderAt } from './present.ts';
import type { Records } from './records.ts';

interface Parts {
  readonly events: Events;
  readonly feed: Feed;
  readonly records: Records;
  readonly tradingPauses: Pick<TradingPauses, 'onChange'>;
  readonly spot: { listed(only: Record<string, never>): readonly ListedForTrading[] };
}

/**
 * Publishes changes to the live feed after the commit: to each user their orders with the new fills, the ids
 * of their changed algo orders, the moved trigger prices of their trailing stops and their spot balances, to
 * everybody the status of pairs.
 */
export function feedSpot({ events, feed, records, spot, tradingPauses }: Parts): void {
  feed.serve('pairs', (topic) => (topic === 'pairs' ? pairsOf(spot.listed({})) : undefined));
  const publishWhere = (isConcerned: (pair: Pair) => boolean) => {
    const listed = spot.listed({}).filter(({ pair }) => isConcerned(pair));
    if (listed.length > 0) feed.publish('pairs', pairsOf(listed));
  };
  const publishPair = (symbol: string) => publishWhere((pair) => pair.symbol === symbol);
  const publishCoin = (coin: string) => publishWhere(({ base, quote }) => base === coin || quote === coin);
  events.on(pairStatusSet, ({ symbol }) => publishPair(symbol));
  events.on(assetHaltChanged, ({ asset }) => publishCoin(asset));
  tradingPauses.onChange((scope, subject) => {
    if (scope === 'pair') publishPair(subject);
    if (scope === 'coin') publishCoin(subject);
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
  events.on(algoChanged, ({ owner, id }) => {
    if (!feed.hasPrivateListener('order', owner)) return;
    feed.publishPrivate('order', owner, { orders: [], fills: [], algos: [id] } satisfies OrderMessage);
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

/** The moved trailing stops grouped by owner, only for owners with a subscriber of their orders. */
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
  return listed.map(({ pair, status, pause }) => ({
    symbol: pair.symbol,
    status,
    pause,
  }));
}
