import { Link } from 'react-router';
import { Amount, Price } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { useDigits } from '../market/digits.ts';
import css from './open-order-links.module.css';
import type { Order } from './shapes.ts';

interface OpenOrderLinksProps {
  readonly orders: readonly Order[];
  /** Where an order is shown in full. */
  readonly orderPath: (id: string) => string;
  /** Figures in one line with the pair, or one below the other. */
  readonly look: 'line' | 'stacked';
}

/** Open orders, each in a row that leads to it: pair, side, amount (or total, where that was ordered) and price. */
export function OpenOrderLinks({ orders, orderPath, look }: OpenOrderLinksProps) {
  const t = useWords('trade');
  const digitsOf = useDigits();
  return (
    <ul className={`${css.orders} ${look === 'line' ? css.line : css.stacked}`}>
      {orders.map(({ id, symbol, baseCoin, quoteCoin, tradeType, amount, total, price, stopPrice }) => (
        <li key={id}>
          <Link to={orderPath(id)}>
            <b>
              {baseCoin}/{quoteCoin}
            </b>
            <span className={tradeType === 1 ? css.buy : css.sell}>
              {t(tradeType === 1 ? 'buy' : 'sell')}
            </span>
            <span>
              {amount === '' ? (
                <Amount value={total} coin={quoteCoin} />
              ) : (
                <Amount value={amount} coin={baseCoin} />
              )}
            </span>
            <Price value={price || stopPrice} digits={digitsOf(symbol).price} />
          </Link>
        </li>
      ))}
    </ul>
  );
}
