import { Link } from 'react-router';
import { Amount, Price } from '../format/numbers.tsx';
import { useWords } from '../i18n/words.ts';
import { useDigits } from '../market/digits.ts';
import css from './open-order-links.module.css';
import { useOrderWords } from './order-words.ts';
import { isWaiting, type Order } from './shapes.ts';

interface OpenOrderLinksProps {
  readonly orders: readonly Order[];
  /** Returns the URL path of the details of an order. */
  readonly orderPath: (id: string) => string;
  /**
   * `line` shows pair, side and figures in one line; `stacked` shows the amount and the price below each
   * other.
   */
  readonly look: 'line' | 'stacked';
}

/**
 * List of open orders, each a link to the order's details. Shows pair, side, amount (for an order by total its total)
 * and price, or the condition that a waiting order's trigger has, such as `≤ 61,000.00`.
 */
export function OpenOrderLinks({ orders, orderPath, look }: OpenOrderLinksProps) {
  const t = useWords('trade');
  return (
    <ul className={`${css.orders} ${look === 'line' ? css.line : css.stacked}`}>
      {orders.map((order) => (
        <li key={order.id}>
          <Link to={orderPath(order.id)}>
            <b>
              {order.baseCoin}/{order.quoteCoin}
            </b>
            <span className={order.tradeType === 1 ? css.buy : css.sell}>
              {t(order.tradeType === 1 ? 'buy' : 'sell')}
            </span>
            <span>
              {order.amount === '' ? (
                <Amount value={order.total} coin={order.quoteCoin} />
              ) : (
                <Amount value={order.amount} coin={order.baseCoin} />
              )}
            </span>
            <PriceOrCondition order={order} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

function PriceOrCondition({ order }: { readonly order: Order }) {
  const words = useOrderWords();
  const digits = useDigits()(order.symbol).price;
  const condition = isWaiting(order) ? words.condition(order, digits) : '';
  if (condition !== '') return <span translate="no">{condition}</span>;
  return <Price value={order.price || order.stopPrice} digits={digits} />;
}
