import { useMemo } from 'react';
import { useWords } from '../i18n/words.ts';
import type { ChartOrder, LineWords } from './price-lines.ts';

/** How the lines of orders and alerts are named in the language in use: `Sell 0.5`, `OCO · Stop-market · Sell 0.5`. */
export function useLineWords(): LineWords {
  const t = useWords('chart');
  const trade = useWords('trade');
  return useMemo(
    () => ({
      alert: t('alert'),
      order: (order: ChartOrder) => {
        const amount = order.amount === '' ? `${order.total ?? ''} ${order.quoteCoin ?? ''}` : order.amount;
        const deed = t(order.tradeType === 1 ? 'buyOrder' : 'sellOrder', { amount });
        const isPlain = order.orderType === undefined || order.orderType === 'limit';
        const names = [order.groupId ? trade('oco') : '', isPlain ? '' : trade(order.orderType), deed];
        return names.filter((name) => name !== '').join(' · ');
      },
    }),
    [t, trade],
  );
}
