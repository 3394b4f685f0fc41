import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useOrderDetail, type OrderDetail } from '@exchange/web-kit/spot/queries.ts';
import { useOrderWords, statusTone } from '@exchange/web-kit/spot/order-words.ts';
import { Badge } from '@exchange/web-kit/ui/parts.tsx';
import { lazy, Suspense } from 'react';
import { ListBody } from './list-body.tsx';
import type { DigitsOf } from './order-columns.tsx';
import { SideName } from './order-columns.tsx';
import classes from './order-detail.module.css';
import { OrderFills } from './order-fills.tsx';
import { OrderProgress } from './order-progress.tsx';
import { OrderTerms } from './order-terms.tsx';
import { useDigits } from './use-digits.ts';

const Dialog = lazy(async () => ({ default: (await import('@exchange/web-kit/ui/overlay.tsx')).Dialog }));
const WIDTH_PX = 760;

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
          {order.data !== undefined && <Detail order={order.data} digitsOf={digitsOf} />}
        </ListBody>
      </Dialog>
    </Suspense>
  );
}

interface DetailProps {
  readonly order: OrderDetail;
  readonly digitsOf: DigitsOf;
}

function Detail({ order, digitsOf }: DetailProps) {
  const words = useOrderWords();
  const { price: priceDigits } = digitsOf(order.symbol);
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
      <OrderProgress order={order} priceDigits={priceDigits} />
      {reason !== '' && <p className={classes.reason}>{reason}</p>}
      <OrderTerms order={order} priceDigits={priceDigits} />
      <OrderFills order={order} priceDigits={priceDigits} />
    </div>
  );
}
