import { Link } from 'react-router';
import { Amount, Price } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { useDigits } from '../market/digits.ts';
import css from './open-order-links.module.css';
import type { Order } from './shapes.ts';

interface OpenOrderLinksProps {
  readonly orders: readonly Order[];
  /** Returns the path of an order's details. */
  readonly orderPath: (id: string) => string;
  /** Figures on one line with the pair, or below each other. */
  readonly look: 'line' | 'stacked';
}

/** Open orders as links to their details: pair, side, amount (the total for an order by total) and price. */
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
