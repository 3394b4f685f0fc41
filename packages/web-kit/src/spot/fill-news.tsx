import type { Order, OrderMessage } from '@exchange/wire/feed.ts';
import { useRef } from 'react';
import { useTopic } from '../feed/feed.ts';
import { formatDecimal } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { isFilled, isOpen } from './shapes.ts';

/**
 * Notifies the signed-in person when an order that rested or waited fills: once when its first part does and once when
 * all of it has. What fills as it is placed, the ticket says.
 */
export default function FillNews() {
  const t = useWords('trade');
  const locale = useLocale();
  const begun = useRef(new Set<string>());

  const announce = (order: Order): void => {
    const { id, tradeType, filledAmount, avgPrice, baseCoin: coin, quoteCoin: quote } = order;
    if (!isOpen(order)) begun.current.delete(id);
    else if (begun.current.has(id)) return;
    else begun.current.add(id);
    const filled = { amount: formatDecimal(filledAmount, locale), coin, quote };
    const what = { ...filled, price: formatDecimal(avgPrice === '' ? '0' : avgPrice, locale) };
    const isBuy = tradeType === 1;
    if (isFilled(order)) notify.success(t(isBuy ? 'news.buyFilled' : 'news.sellFilled', what));
    else notify.success(t(isBuy ? 'news.buyPartly' : 'news.sellPartly', what));
  };
  useTopic('order', ({ type, data }) => {
    const { orders = [], fills = [] } = data as Partial<OrderMessage>;
    if (type === 'snapshot' || fills.length === 0) return;
    const traded = new Set(fills.map(({ orderId }) => orderId));
    for (const order of orders) {
      const fillsAsPlaced = order.updateTime === order.createTime;
      if (traded.has(order.id) && (isFilled(order) || isOpen(order)) && !fillsAsPlaced) announce(order);
    }
  });
  return null;
}
