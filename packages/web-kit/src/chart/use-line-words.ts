import { useMemo } from 'react';
import { formatDecimal } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import { openAmountOf, type ChartOrder, type LineSum, type LineWords } from './price-lines.ts';

/**
 * How the lines of orders and alerts are named in the language in use: `Sell 0.5`, `OCO · Stop-market · Sell 0.5`,
 * `3 buys · 0.12 BTC`.
 */
export function useLineWords(): LineWords {
  const t = useWords('chart');
  const trade = useWords('trade');
  const locale = useLocale();
  return useMemo(() => {
    const inCoin = ({ value, coin }: LineSum): string => `${formatDecimal(value, locale)} ${coin}`.trim();
    return {
      alert: t('alert'),
      alerts: (count) => t('alertsShared', { count }),
      order: (order: ChartOrder) => {
        const amount =
          order.amount === ''
            ? inCoin({ value: order.total ?? '0', coin: order.quoteCoin ?? '' })
            : formatDecimal(openAmountOf(order), locale);
        const deed = t(order.tradeType === 1 ? 'buyOrder' : 'sellOrder', { amount });
        const isPlain = order.orderType === undefined || order.orderType === 'limit';
        const names = [order.groupId ? trade('oco') : '', isPlain ? '' : trade(order.orderType), deed];
        return names.filter((name) => name !== '').join(' · ');
      },
      orders: (side, count, sums) =>
        [t(side === 'buy' ? 'buyOrdersShared' : 'sellOrdersShared', { count }), ...sums.map(inCoin)].join(
          ' · ',
        ),
    };
  }, [t, trade, locale]);
}
