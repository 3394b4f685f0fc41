import { ORDER_STATUS } from '@exchange/wire/spot.ts';
import { formatDecimal, formatPrice } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import type { Order, PlacedOco } from './shapes.ts';
import type { TicketPair } from './ticket.ts';

interface Sentence {
  readonly look: 'success' | 'warning';
  readonly text: string;
}

/** Says in one sentence what became of an order that was just placed. */
export function usePlacedSentence({ priceDigits }: Pick<TicketPair, 'priceDigits'>) {
  const t = useWords('trade');
  const locale = useLocale();
  return (placed: Order | PlacedOco): Sentence => {
    if ('orders' in placed) return { look: 'success', text: t('placedOco') };
    const { status, stopStatus, avgPrice, baseCoin: coin } = placed;
    const amount = formatDecimal(placed.filledAmount, locale);
    if (stopStatus === 'waiting') return { look: 'success', text: t('placedStop') };
    switch (status) {
      case ORDER_STATUS.filled:
        return {
          look: 'success',
          text: t('filled', { amount, coin, price: formatPrice(avgPrice || '0', locale, priceDigits) }),
        };
      case ORDER_STATUS.partlyFilled:
        return { look: 'success', text: t('partlyFilled', { amount, coin }) };
      case ORDER_STATUS.partlyCancelled:
        return { look: 'warning', text: t('cancelledRest', { amount, coin }) };
      case ORDER_STATUS.cancelled:
        return { look: 'warning', text: t('notFilled') };
      default:
        return { look: 'success', text: t('placed') };
    }
  };
}
