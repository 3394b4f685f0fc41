import { Decimal } from '@exchange/core/decimal.ts';
import { Amount, Price, When } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { notify } from '@exchange/web-kit/shell/notify.ts';
import { useCancelOrder } from '@exchange/web-kit/spot/actions.ts';
import type { Fill, Order } from '@exchange/web-kit/spot/queries.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { Badge, type Tone } from '@exchange/web-kit/ui/parts.tsx';
import type { ReactNode } from 'react';
import css from './orders.module.css';

const STATUS_WORDS = ['status0', 'status1', 'status2', 'status3', 'status4', 'status5'] as const;
const STATUS_TONES: readonly Tone[] = ['neutral', 'accent', 'good', 'neutral', 'neutral', 'bad'];

/** One order with what became of it. */
export function OrderCard({
  order,
  priceDigits,
  canCancel,
}: {
  order: Order;
  priceDigits: number;
  canCancel: boolean;
}) {
  const t = useWords('orders');
  const trade = useWords('trade');
  return (
    <li className={css.card}>
      <div className={css.top}>
        <SideWord tradeType={order.tradeType} />
        <b>
          {order.baseCoin}/{order.quoteCoin}
        </b>
        <span className={css.kind}>{trade(order.orderType)}</span>
        <span className={css.gap} />
        {canCancel ? (
          <Cancel order={order} />
        ) : (
          <Badge tone={STATUS_TONES[order.status]}>{t(STATUS_WORDS[order.status] ?? 'status0')}</Badge>
        )}
      </div>
      <dl className={css.facts}>
        <Fact name={t('price')}>
          {order.price === '' ? t('marketPrice') : <Price value={order.price} digits={priceDigits} />}
        </Fact>
        <Fact name={t('filled')}>
          <Amount value={order.filledAmount} />
          {order.amount === '' ? null : (
            <>
              {' / '}
              <Amount value={order.amount} />
            </>
          )}
        </Fact>
        {order.avgPrice === '' || Decimal.parse(order.filledAmount).isZero() ? null : (
          <Fact name={t('average')}>
            <Price value={order.avgPrice} digits={priceDigits} />
          </Fact>
        )}
        <Fact name={t('time')}>
          <When at={order.createTime} look="minute" />
        </Fact>
      </dl>
    </li>
  );
}

/** One fill with its fee. */
export function FillCard({ fill, priceDigits }: { fill: Fill; priceDigits: number }) {
  const t = useWords('orders');
  return (
    <li className={css.card}>
      <div className={css.top}>
        <SideWord tradeType={fill.tradeType} />
        <b>
          {fill.baseCoin}/{fill.quoteCoin}
        </b>
        <span className={css.kind}>{t(fill.role)}</span>
        <span className={css.gap} />
        <When at={fill.ts} look="minute" className={css.kind} />
      </div>
      <dl className={css.facts}>
        <Fact name={t('price')}>
          <Price value={fill.price} digits={priceDigits} />
        </Fact>
        <Fact name={t('amount')}>
          <Amount value={fill.amount} />
        </Fact>
        <Fact name={t('total')}>
          <Amount value={fill.total} coin={fill.quoteCoin} />
        </Fact>
        <Fact name={t('fee')}>
          <Amount value={fill.fee} coin={fill.feeCoin} />
        </Fact>
      </dl>
    </li>
  );
}

function SideWord({ tradeType }: { tradeType: 1 | 2 }) {
  const t = useWords('trade');
  return <span className={tradeType === 1 ? css.buy : css.sell}>{t(tradeType === 1 ? 'buy' : 'sell')}</span>;
}

function Cancel({ order }: { order: Order }) {
  const t = useWords('orders');
  const trade = useWords('trade');
  const cancel = useCancelOrder();
  const press = async () => {
    try {
      await cancel.mutateAsync(order.id);
      notify.success(t('orderCancelled'));
    } catch (error) {
      // Reason: it was filled or cancelled meanwhile, or the call did not come through; the list shows which.
      notify.failure(error);
    }
  };
  const side = trade(order.tradeType === 1 ? 'buy' : 'sell');
  return (
    <Button
      look="secondary"
      size="s"
      busy={cancel.isPending}
      aria-label={t('cancelOrder', { side, amount: order.amount, price: order.price })}
      onClick={() => void press()}
    >
      {t('cancel')}
    </Button>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={css.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
