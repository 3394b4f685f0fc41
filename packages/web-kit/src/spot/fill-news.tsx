import type { Order, OrderMessage } from '@exchange/wire/feed.ts';
import { useRef } from 'react';
import { useTopic } from '../feed/feed.ts';
import { formatDecimal } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { isFilled, isOpen } from './shapes.ts';

/**
 * Notifies the user when an order that was already open is filled: at its first partial fill since the page was opened,
 * and when it is completely filled. The order ticket reports fills that happen when an order is placed.
 */
export default function FillNews() {
  const t = useWords('trade');
  const locale = useLocale();
  const partlyFilled = useRef(new Set<string>());

  const notifyFill = (order: Order): void => {
    const { id, tradeType, filledAmount, avgPrice, baseCoin: coin, quoteCoin: quote } = order;
    if (!isOpen(order)) partlyFilled.current.delete(id);
    else if (partlyFilled.current.has(id)) return;
    else partlyFilled.current.add(id);
    const amounts = { amount: formatDecimal(filledAmount, locale), coin, quote };
    const parameters = { ...amounts, price: formatDecimal(avgPrice === '' ? '0' : avgPrice, locale) };
    const isBuy = tradeType === 1;
    if (isFilled(order)) notify.success(t(isBuy ? 'news.buyFilled' : 'news.sellFilled', parameters));
    else notify.success(t(isBuy ? 'news.buyPartly' : 'news.sellPartly', parameters));
  };
  useTopic('order', ({ type, data }) => {
    const { orders = [], fills = [] } = data as Partial<OrderMessage>;
    if (type === 'snapshot' || fills.length === 0) return;
    const filledIds = new Set(fills.map(({ orderId }) => orderId));
    for (const order of orders) {
      const fillsAsPlaced = order.updateTime === order.createTime;
      if (filledIds.has(order.id) && (isFilled(order) || isOpen(order)) && !fillsAsPlaced) notifyFill(order);
    }
  });
  return null;
}
