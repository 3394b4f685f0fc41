import type { UserId } from '@exchange/core/ids.ts';
import type { OrderMessage } from '@exchange/wire/feed.ts';
import type { Events } from '../../platform/events.ts';
import type { Feed } from '../../platform/feed/topics.ts';
import { balanceChanged } from '../ledger/index.ts';
import { orderChanged } from './events.ts';
import { presentFill, presentOrderAt } from './present.ts';
import type { Records } from './records.ts';

/** Tells each user, after the commit, which of the own orders and balances changed. */
export function feedSpot({ events, feed, records }: { events: Events; feed: Feed; records: Records }): void {
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
  events.on(balanceChanged, ({ owner, product, asset, available, frozen }) => {
    if (product !== 'spot' || !feed.hasPrivateListener('asset', owner)) return;
    feed.publishPrivate('asset', owner, [
      { currency: asset, available: available.toString(), frozen: frozen.toString() },
    ]);
  });
}
