import { ASSET_DIGITS, formatPercent } from '@exchange/web-kit/format/format.ts';
import { Amount, Price } from '@exchange/web-kit/format/numbers.tsx';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { type PairDigits, useDigits } from '@exchange/web-kit/market/digits.ts';
import { statusTone, useOrderWords } from '@exchange/web-kit/spot/order-words.ts';
import { type OrderDetail, useOrderDetail } from '@exchange/web-kit/spot/queries.ts';
import { Badge } from '@exchange/web-kit/ui/parts.tsx';
import { lazy, Suspense } from 'react';
import { SideName } from './order-columns.tsx';
import classes from './order-detail.module.css';
import { filledShare } from './order-figures.ts';
import { OrderFills } from './order-fills.tsx';
import { OrderTerms } from './order-terms.tsx';

const Dialog = lazy(async () => ({ default: (await import('@exchange/web-kit/ui/overlay.tsx')).Dialog }));
const WIDTH_PX = 800;

interface OrderDetailDialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** Everything about one order: its terms, how far it is, each fill with its fee, and how it was changed. */
export function OrderDetailDialog({ id, onClose }: OrderDetailDialogProps) {
  const tOrders = useWords('orders');
  const tShell = useWords('shell');
  const order = useOrderDetail(id);
  const digitsOf = useDigits();
  return (
    <Suspense fallback={null}>
      <Dialog
        isOpen
        onClose={onClose}
        width={WIDTH_PX}
        title={tOrders('detail')}
        closeLabel={tShell('close')}
      >
        <ListBody
          isLoading={order.isPending}
          error={order.error}
          onRetry={() => void order.refetch()}
          isEmpty={false}
          empty=""
          skeletonRows={8}
        >
          {order.data !== undefined && <Detail order={order.data} digits={digitsOf(order.data.symbol)} />}
        </ListBody>
      </Dialog>
    </Suspense>
  );
}

interface DetailProps {
  readonly order: OrderDetail;
  readonly digits: PairDigits;
}

function Detail({ order, digits }: DetailProps) {
  const words = useOrderWords();
  const reason = words.reason(order);
  return (
    <div className={classes.detail}>
      <div className={classes.head}>
        <h3>
          {order.baseCoin}/{order.quoteCoin}
        </h3>
        <SideName tradeType={order.tradeType} />
        <span>{words.kind(order)}</span>
        <Badge tone={statusTone(order)}>{words.status(order)}</Badge>
      </div>
      <OrderProgress order={order} digits={digits} />
      {reason !== '' && <p className={classes.reason}>{reason}</p>}
      <OrderTerms order={order} digits={digits} />
      <OrderFills order={order} digits={digits} />
    </div>
  );
}

interface OrderProgressProps {
  readonly order: OrderDetail;
  readonly digits: PairDigits;
}

/** How much of an order is filled, at which average price, and what that cost. */
function OrderProgress({ order, digits }: OrderProgressProps) {
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
