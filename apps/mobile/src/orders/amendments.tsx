import { formatDecimal, formatPrice } from '@exchange/web-kit/format/format.ts';
import { When } from '@exchange/web-kit/format/numbers.tsx';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import type { PairDigits } from '@exchange/web-kit/market/digits.ts';
import type { OrderDetail } from '@exchange/web-kit/spot/queries.ts';
import css from './order-screen.module.css';

/** What was changed while the order was open, latest first; nothing where nothing was. */
export function Amendments({ order, digits }: { order: OrderDetail; digits: PairDigits }) {
  const t = useWords('orders');
  const locale = useLocale();
  if (order.amendments.length === 0) return null;
  const price = (value: string) => formatPrice(value, locale, digits.price);
  const amount = (value: string) => formatDecimal(value, locale);
  return (
    <section>
      <h2 className={css.heading}>{t('amendments')}</h2>
      <ul className={css.fills}>
        {order.amendments.toReversed().map((change) => (
          <li key={change.time} className={css.fill}>
            {change.stopPrice === change.stopPriceBefore ? null : (
              <p>
                {t('amendedStop', { before: price(change.stopPriceBefore), after: price(change.stopPrice) })}
              </p>
            )}
            {change.price === change.priceBefore ? null : (
              <p>{t('amendedPrice', { before: price(change.priceBefore), after: price(change.price) })}</p>
            )}
            {change.amount === change.amountBefore ? null : (
              <p>
                {t('amendedAmount', { before: amount(change.amountBefore), after: amount(change.amount) })}
              </p>
            )}
            <small>
              <When at={change.time} />
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}
