import { Decimal } from '@exchange/core/decimal.ts';
import { formatPercent } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { useCancelOrder } from '@exchange/web-kit/spot/actions.ts';
import { useCancelledSentences } from '@exchange/web-kit/spot/order-words.ts';
import type { Order } from '@exchange/web-kit/spot/queries.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { orderPath } from '../paths.ts';
import css from './orders.module.css';

/** The word `Buy` or `Sell` in the colour of that side. */
export function SideWord({ tradeType }: { tradeType: 1 | 2 }) {
  const t = useWords('trade');
  return <span className={tradeType === 1 ? css.buy : css.sell}>{t(tradeType === 1 ? 'buy' : 'sell')}</span>;
}

interface HeadProps {
  order: Pick<Order, 'id' | 'tradeType' | 'baseCoin' | 'quoteCoin'>;
  kind: string;
  end: ReactNode;
}

/**
 * First line of an order card: pair, side and order type, and `end` at the end of the line; the whole card links to the
 * order's details.
 */
export function CardHead({ order, kind, end }: HeadProps) {
  const t = useWords('mobile-orders');
  const trade = useWords('trade');
  const pair = `${order.baseCoin}/${order.quoteCoin}`;
  const side = trade(order.tradeType === 1 ? 'buy' : 'sell');
  return (
    <div className={css.top}>
      <Link
        to={orderPath(order.id)}
        className={css.whole}
        aria-label={t('openDetail', { side, pair, type: kind })}
      />
      <div className={css.name}>
        <b>{pair}</b>
        <span className={css.kind}>
          <SideWord tradeType={order.tradeType} /> {kind}
        </span>
      </div>
      <div className={css.end}>{end}</div>
    </div>
  );
}

interface FactProps {
  name: string;
  isWide?: boolean;
  children: ReactNode;
}

/** The name of a figure and its value, inside an order card. */
export function Fact({ name, isWide = false, children }: FactProps) {
  return (
    <div className={css.fact} data-wide={isWide || undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/**
 * Thin bar that shows the filled fraction of an order's amount; renders nothing for orders by total, which have no
 * amount.
 */
export function FilledBar({ order }: { order: Pick<Order, 'amount' | 'filledAmount'> }) {
  const t = useWords('mobile-orders');
  const locale = useLocale();
  const share = filledShare(order);
  if (share === undefined) return null;
  const percent = formatPercent(share.toString(), locale, { digits: 0 });
  return (
    <div className={css.bar} role="img" aria-label={t('filledShare', { percent })}>
      <span style={{ transform: `scaleX(${Number(share.toPlaces(4))})` }} />
    </div>
  );
}

/**
 * Returns the filled fraction of an order's amount, rounded down to four decimals; undefined for an order by
 * total, which has no amount.
 */
export function filledShare({
  amount,
  filledAmount,
}: Pick<Order, 'amount' | 'filledAmount'>): Decimal | undefined {
  const whole = Decimal.tryParse(amount);
  return whole?.isPositive() ? Decimal.parse(filledAmount).over(whole, 'down', 4) : undefined;
}

/**
 * Button that cancels an order without a confirmation. For an order of an OCO the server also cancels the other order;
 * for the working or a pending order of an OTO it cancels all orders of the OTO.
 */
export function CancelButton({ order, look = 'small' }: { order: Order; look?: 'small' | 'large' }) {
  const t = useWords('orders');
  const trade = useWords('trade');
  const cancel = useCancelOrder();
  const sentences = useCancelledSentences();
  const cancelOrder = async () => {
    try {
      const cancelled = await cancel.mutateAsync(order.id);
      notify.success(sentences.one(order, cancelled));
    } catch (error) {
      // The cancellation failed because the order was filled or cancelled meanwhile, or because the request failed. The
      // notification says why, and the list shows the order's present state.
      notify.failure(error);
    }
  };
  const side = trade(order.tradeType === 1 ? 'buy' : 'sell');
  return (
    <Button
      look="secondary"
      size={look === 'small' ? 's' : 'l'}
      className={look === 'small' ? css.action : undefined}
      busy={cancel.isPending}
      aria-label={t('cancelOrder', {
        side,
        amount: order.amount || order.total,
        price: order.price || order.stopPrice || t('marketPrice'),
      })}
      onClick={() => void cancelOrder()}
    >
      {t('cancel')}
    </Button>
  );
}
