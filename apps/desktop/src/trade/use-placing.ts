import { CallFailed } from '@exchange/web-kit/api/call-error.ts';
import { formatDecimal, formatPrice } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { notify } from '@exchange/web-kit/shell/notify.ts';
import { usePlaceOrder } from '@exchange/web-kit/spot/actions.ts';
import type { Order } from '@exchange/web-kit/spot/queries.ts';
import { payloadOf, type Ticket, type TicketPair } from '@exchange/web-kit/spot/ticket-form.ts';
import { useRef } from 'react';
import { placingKey, type Unanswered } from './placing-key.ts';

const FILLED = 2;

/** Places orders so that pressing again after a lost answer repeats the same order instead of adding one. */
export function usePlacing(pair: TicketPair, onPlaced: (ticket: Ticket) => void) {
  const t = useWords('trade');
  const locale = useLocale();
  const placing = usePlaceOrder();
  const unanswered = useRef<Unanswered | undefined>(undefined);

  const filledText = ({ filledAmount, avgPrice, baseCoin }: Order): string =>
    t('filled', {
      amount: formatDecimal(filledAmount, locale),
      coin: baseCoin,
      price: formatPrice(avgPrice, locale, pair.priceDigits),
    });

  const place = (ticket: Ticket): void => {
    const payload = payloadOf(ticket, pair);
    const text = JSON.stringify(payload);
    const clientId = placingKey(text, unanswered.current, () => crypto.randomUUID());
    placing.mutate(
      { payload, clientId },
      {
        onSuccess: (order) => {
          unanswered.current = undefined;
          notify.success(order.status === FILLED ? filledText(order) : t('placed'));
          onPlaced(ticket);
        },
        onError: (error) => {
          unanswered.current = error instanceof CallFailed ? { order: text, clientId } : undefined;
          notify.failure(error);
        },
      },
    );
  };
  return { place, isPlacing: placing.isPending };
}
