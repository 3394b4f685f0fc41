import { ASSET_DIGITS } from '@exchange/web-kit/format/format.ts';
import { Amount, Price, When } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import type { PairDigits } from '@exchange/web-kit/market/digits.ts';
import type { OrderDetail } from '@exchange/web-kit/spot/queries.ts';
import css from './order-screen.module.css';

/** The trades of an order, each with its role and its fee. */
export function OrderFills({ order, digits }: { order: OrderDetail; digits: PairDigits }) {
  const t = useWords('orders');
  return (
    <section>
      <h2 className={css.heading}>{t('ownFills')}</h2>
      {order.fills.length === 0 ? (
        <p className={css.none}>{t('noFills')}</p>
      ) : (
        <ul className={css.fills}>
          {order.fills.map((fill) => (
            <li key={fill.tradeId} className={css.fill}>
              <div className={css.fillLine}>
                <span className={css.fillPrice}>
                  <Price value={fill.price} digits={digits.price} />
                  <small> {order.quoteCoin}</small>
                </span>
                <Amount value={fill.amount} digits={digits.amount} coin={order.baseCoin} />
              </div>
              <div className={css.fillLine}>
                <small>
                  {t(fill.role)} · <When at={fill.ts} />
                </small>
                <small>
                  {t('fee')} <Amount value={fill.fee} digits={ASSET_DIGITS} coin={fill.feeCoin} />
                </small>
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
