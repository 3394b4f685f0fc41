import { formatPercent } from '@exchange/web-kit/format/format.ts';
import { Amount, Price, When } from '@exchange/web-kit/format/numbers.tsx';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { type PairDigits, useDigits } from '@exchange/web-kit/market/digits.ts';
import { statusTone, useOrderWords, useAmendmentWords } from '@exchange/web-kit/spot/order-words.ts';
import { usePairs } from '@exchange/web-kit/market/queries.ts';
import { type OrderDetail, useOrderDetail } from '@exchange/web-kit/spot/queries.ts';
import { WhyLink } from '@exchange/web-kit/replay/replay-link.tsx';
import { DataTable } from '@exchange/web-kit/ui/data-table.tsx';
import { Badge } from '@exchange/web-kit/ui/parts.tsx';

import { SideName } from './order-columns.tsx';
import classes from './order-detail.module.css';
import { filledShare } from './order-figures.ts';
import { OrderTerms } from './order-terms.tsx';
import { LazyDialog } from '@exchange/web-kit/part/lazy-dialog.tsx';

const WIDTH_PX = 800;

interface OrderDetailDialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** Dialog with the details of an order: terms, progress, fills with fees, and amendments. */
export function OrderDetailDialog({ id, onClose }: OrderDetailDialogProps) {
  const tOrders = useWords('orders');
  const tShell = useWords('shell');
  const order = useOrderDetail(id);
  const digitsOf = useDigits();
  // The figures of the order are rendered only once the pair's decimals are known; otherwise their format would change
  // afterwards and move the lines below them.
  const isPairPending = usePairs().isPending;
  return (
    <LazyDialog
      isOpen
      onClose={onClose}
      width={WIDTH_PX}
      title={tOrders('detail')}
      closeLabel={tShell('close')}
    >
      <ListBody
        isLoading={order.isPending || isPairPending}
        error={order.error}
        onRetry={() => void order.refetch()}
        missing={{ text: tOrders('missing') }}
        skeletonRows={8}
      >
        {order.data !== undefined && <Detail order={order.data} digits={digitsOf(order.data.symbol)} />}
      </ListBody>
    </LazyDialog>
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

/** The filled share, average price and fees of an order. */
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
            <Amount value={order.filledTotal} kind="sum" coin={order.quoteCoin} />
          </dd>
        </div>
        <div>
          <dt>{tDesk('feePaid')}</dt>
          <dd>
            <Amount value={order.fee} kind="fee" coin={order.feeCoin} />
          </dd>
        </div>
      </dl>
    </>
  );
}

interface OrderFillsProps {
  readonly order: OrderDetail;
  readonly digits: PairDigits;
}

/** The list of an order's newest fills with fees, and the list of its newest amendments if there are any. */
function OrderFills({ order, digits }: OrderFillsProps) {
  const tOrders = useWords('orders');
  const tDesk = useWords('desktop-orders');
  const tReplay = useWords('replay');
  const end = { align: 'end' } as const;
  return (
    <>
      <section className={classes.part}>
        <h4>{tDesk('fillsCount', { count: order.fillCount })}</h4>
        {order.fillCount > order.fills.length ? (
          <p className={classes.none}>
            {tOrders('newestOf', { shown: order.fills.length, total: order.fillCount })}
          </p>
        ) : null}
        {order.fills.length === 0 ? (
          <p className={classes.none}>{tOrders('noFills')}</p>
        ) : (
          <div className={classes.scroll} tabIndex={0} role="group" aria-label={tOrders('ownFills')}>
            <DataTable
              dense
              caption={tOrders('ownFills')}
              rows={order.fills}
              rowKey={({ tradeId }) => tradeId}
              columns={[
                { key: 'time', title: tOrders('time'), cell: ({ ts }) => <When at={ts} look="second" /> },
                {
                  key: 'price',
                  title: tOrders('price'),
                  ...end,
                  cell: ({ price }) => <Price value={price} digits={digits.price} />,
                },
                {
                  key: 'amount',
                  title: tOrders('amount'),
                  ...end,
                  cell: ({ amount }) => (
                    <Amount value={amount} digits={digits.amount} coin={order.baseCoin} />
                  ),
                },
                {
                  key: 'total',
                  title: tOrders('total'),
                  ...end,
                  cell: ({ total }) => <Amount value={total} kind="sum" coin={order.quoteCoin} />,
                },
                {
                  key: 'fee',
                  title: tOrders('fee'),
                  ...end,
                  cell: ({ fee, feeCoin }) => <Amount value={fee} kind="fee" coin={feeCoin} />,
                },
                { key: 'role', title: tOrders('role'), ...end, cell: ({ role }) => tOrders(role) },
                {
                  key: 'why',
                  title: <span className="visually-hidden">{tReplay('why')}</span>,
                  ...end,
                  width: 32,
                  cell: ({ tradeId, ts }) => (
                    <WhyLink
                      isIcon
                      fill={{
                        tradeId,
                        ts,
                        baseCoin: order.baseCoin,
                        quoteCoin: order.quoteCoin,
                      }}
                    />
                  ),
                },
              ]}
            />
          </div>
        )}
      </section>
      {order.amendments.length > 0 && <Amendments order={order} digits={digits} />}
    </>
  );
}

/**
 * Section of the dialog that lists the order's newest amendments, oldest first; values that an amendment did
 * not change are omitted.
 */
function Amendments({ order, digits }: OrderFillsProps) {
  const tOrders = useWords('orders');
  const phrasesOf = useAmendmentWords(digits.price);
  return (
    <section className={classes.part}>
      <h4>{tOrders('amendments')}</h4>
      {order.amendmentCount > order.amendments.length ? (
        <p className={classes.none}>
          {tOrders('newestOf', { shown: order.amendments.length, total: order.amendmentCount })}
        </p>
      ) : null}
      <ul className={classes.amendments}>
        {order.amendments.map((change) => {
          const phrases = phrasesOf(change);
          return (
            <li key={`${change.time} ${phrases.join()}`}>
              <When at={change.time} />
              {phrases.map((phrase) => (
                <span key={phrase}>{phrase}</span>
              ))}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
