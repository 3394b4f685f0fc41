import { When } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import type { PairDigits } from '@exchange/web-kit/market/digits.ts';
import { useAmendmentWords } from '@exchange/web-kit/spot/amendment-words.ts';
import type { OrderDetail } from '@exchange/web-kit/spot/queries.ts';
import css from './order-screen.module.css';

/** What was changed while the order was open, latest first; nothing where nothing was. */
export function Amendments({ order, digits }: { order: OrderDetail; digits: PairDigits }) {
  const t = useWords('orders');
  const phrasesOf = useAmendmentWords(digits.price);
  if (order.amendments.length === 0) return null;
  return (
    <section>
      <h2 className={css.heading}>{t('amendments')}</h2>
      <ul className={css.fills}>
        {order.amendments.toReversed().map((change) => {
          const phrases = phrasesOf(change);
          return (
            <li key={`${change.time} ${phrases.join()}`} className={css.fill}>
              {phrases.map((phrase) => (
                <p key={phrase}>{phrase}</p>
              ))}
              <small>
                <When at={change.time} />
              </small>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
