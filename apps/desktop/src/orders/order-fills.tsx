import { ASSET_DIGITS } from '@exchange/web-kit/format/format.ts';
import { Amount, Price, When } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import type { PairDigits } from '@exchange/web-kit/market/digits.ts';
import { useAmendmentWords } from '@exchange/web-kit/spot/amendment-words.ts';
import type { OrderDetail } from '@exchange/web-kit/spot/queries.ts';
import { DataTable } from '@exchange/web-kit/ui/data-table.tsx';
import classes from './order-detail.module.css';

interface OrderFillsProps {
  readonly order: OrderDetail;
  readonly digits: PairDigits;
}

/** Each fill of an order with its own fee, and each change of it. */
export function OrderFills({ order, digits }: OrderFillsProps) {
  const tOrders = useWords('orders');
  const tDesk = useWords('desktop-orders');
  const end = { align: 'end' } as const;
  return (
    <>
      <section className={classes.part}>
        <h4>{tDesk('fillsCount', { count: order.fills.length })}</h4>
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
                  cell: ({ total }) => <Amount value={total} digits={digits.total} coin={order.quoteCoin} />,
                },
                {
                  key: 'fee',
                  title: tOrders('fee'),
                  ...end,
                  cell: ({ fee, feeCoin }) => <Amount value={fee} digits={ASSET_DIGITS} coin={feeCoin} />,
                },
                { key: 'role', title: tOrders('role'), ...end, cell: ({ role }) => tOrders(role) },
              ]}
            />
          </div>
        )}
      </section>
      {order.amendments.length > 0 && <Amendments order={order} digits={digits} />}
    </>
  );
}

/** How the order was changed, oldest first; what stayed the same is not said. */
function Amendments({ order, digits }: OrderFillsProps) {
  const tOrders = useWords('orders');
  const phrasesOf = useAmendmentWords(digits.price);
  return (
    <section className={classes.part}>
      <h4>{tOrders('amendments')}</h4>
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
