import { ASSET_DIGITS, formatPercent } from '@exchange/web-kit/format/format.ts';
import { Amount, Price } from '@exchange/web-kit/format/numbers.tsx';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import type { PairDigits } from '@exchange/web-kit/market/digits.ts';
import type { OrderDetail } from '@exchange/web-kit/spot/queries.ts';
import { filledShare } from './filled-share.ts';
import classes from './order-detail.module.css';

interface OrderProgressProps {
  readonly order: OrderDetail;
  readonly digits: PairDigits;
}

/** How much of an order is filled, at which average price, and what that cost. */
export function OrderProgress({ order, digits }: OrderProgressProps) {
  const tOrders = useWords('orders');
  const tDesk = useWords('desktop-orders');
  const locale = useLocale();
  const share = filledShare(order);
  return (
    <>
      <div
        className={classes.bar}
        role="progressbar"
        aria-label={tOrders('filled')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.trunc(Number(share) * 100)}
      >
        <i style={{ transform: `scaleX(${share})` }} data-side={order.tradeType === 1 ? 'buy' : 'sell'} />
      </div>
      <dl className={classes.figures}>
        <div>
          <dt>{tDesk('progress', { percent: formatPercent(share, locale) })}</dt>
          <dd>
            <Amount value={order.filledAmount} digits={digits.amount} coin={order.baseCoin} />
          </dd>
        </div>
        <div>
          <dt>{tDesk('average')}</dt>
          <dd>
            <Price value={order.avgPrice} digits={digits.price} />
          </dd>
        </div>
        <div>
          <dt>{tDesk('filledTotal')}</dt>
          <dd>
            <Amount value={order.filledTotal} digits={digits.total} coin={order.quoteCoin} />
          </dd>
        </div>
        <div>
          <dt>{tDesk('feePaid')}</dt>
          <dd>
            <Amount value={order.fee} digits={ASSET_DIGITS} coin={order.feeCoin} />
          </dd>
        </div>
      </dl>
    </>
  );
}
