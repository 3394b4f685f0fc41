import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useDigits, type PairDigits } from '@exchange/web-kit/market/digits.ts';
import { useOrderDetail, type OrderDetail } from '@exchange/web-kit/spot/queries.ts';
import { useOrderWords, statusTone } from '@exchange/web-kit/spot/order-words.ts';
import { Badge } from '@exchange/web-kit/ui/parts.tsx';
import { lazy, Suspense } from 'react';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { SideName } from './order-columns.tsx';
import classes from './order-detail.module.css';
import { OrderFills } from './order-fills.tsx';
import { OrderProgress } from './order-progress.tsx';
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
