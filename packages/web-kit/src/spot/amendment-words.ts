import { formatDecimal, formatPrice } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import { EXIT_LABELS, type ExitField } from './amend-exits.ts';
import type { OrderDetail } from './shapes.ts';

type Amendment = OrderDetail['amendments'][number];

const EXITS = Object.keys(EXIT_LABELS) as readonly ExitField[];

/** What a change made of an order, one phrase for each thing: `Price 48,000.00 → 48,100.00`. What stayed is not said. */
export function useAmendmentWords(priceDigits: number): (change: Amendment) => readonly string[] {
  const t = useWords('orders');
  const trade = useWords('trade');
  const locale = useLocale();
  const price = (text: string) => (text === '' ? t('amendedNone') : formatPrice(text, locale, priceDigits));
  const amount = (text: string) => formatDecimal(text, locale);
  return (change) => {
    const { stopPrice, stopPriceBefore, priceBefore, amountBefore } = change;
    const phrases: string[] = [];
    if (stopPrice !== stopPriceBefore)
      phrases.push(t('amendedStop', { before: price(stopPriceBefore), after: price(stopPrice) }));
    if (change.price !== priceBefore)
      phrases.push(t('amendedPrice', { before: price(priceBefore), after: price(change.price) }));
    if (change.amount !== amountBefore)
      phrases.push(t('amendedAmount', { before: amount(amountBefore), after: amount(change.amount) }));
    for (const exit of EXITS) {
      const [before, after] = [change[`${exit}Before`], change[exit]];
      if (before !== after) phrases.push(`${trade(EXIT_LABELS[exit])} ${price(before)} → ${price(after)}`);
    }
    return phrases;
  };
}
