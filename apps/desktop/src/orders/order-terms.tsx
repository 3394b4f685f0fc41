import { formatPercent } from '@exchange/web-kit/format/format.ts';
import { Price, When } from '@exchange/web-kit/format/numbers.tsx';
import { Remaining } from '@exchange/web-kit/format/remaining.tsx';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import type { PairDigits } from '@exchange/web-kit/market/digits.ts';
import { useCopy } from '@exchange/web-kit/form/copy-button.tsx';
import { useExitWords } from '@exchange/web-kit/spot/exit-words.ts';
import { useOrderWords } from '@exchange/web-kit/spot/order-words.ts';
import type { OrderDetail } from '@exchange/web-kit/spot/queries.ts';
import { isOpen } from '@exchange/web-kit/spot/shapes.ts';
import { Copy, Link2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useHref } from 'react-router';
import { orderPath } from '../paths.ts';
import { OrderedAmount } from './order-columns.tsx';
import classes from './order-detail.module.css';
import orders from './orders.module.css';

interface OrderTermsProps {
  readonly order: OrderDetail;
  readonly digits: PairDigits;
}

/** The terms of the order, such as price and time in force; terms that do not apply to its type are omitted. */
export function OrderTerms({ order, digits }: OrderTermsProps) {
  const tOrders = useWords('orders');
  const tTrade = useWords('trade');
  const tDesk = useWords('desktop-orders');
  const locale = useLocale();
  const words = useOrderWords();
  const trail = words.trail(order);
  const condition = words.condition(order, digits.price);
  const activation = words.activation(order, digits.price, 'withTime');
  const exits = useExitWords();
  return (
    <dl className={classes.terms}>
      <Term name={tTrade(order.stopPrice === '' ? 'price' : 'limitPrice')}>
        {order.price === '' ? tOrders('marketPrice') : <Price value={order.price} digits={digits.price} />}
      </Term>
      <Term name={tOrders(order.amount === '' ? 'total' : 'amount')}>
        <OrderedAmount order={order} digits={digits} />
      </Term>
      {condition !== '' && <Term name={tOrders('trigger')}>{condition}</Term>}
      {trail !== '' && <Term name={tTrade('trail')}>{trail}</Term>}
      {activation !== '' && (
        <Term name={tTrade('activation')} isWide>
          {activation}
        </Term>
      )}
      {order.stopStatus !== '' && (
        <Term name={tOrders('triggeredAt')}>
          {order.triggerTime > 0 ? <When at={order.triggerTime} /> : tOrders('statusWaiting')}
        </Term>
      )}
      {order.exitStatus !== '' && (
        <Term name={tTrade('tpsl')} isWide>
          {exits.prices(order, digits.price)} · {exits.status(order)}
        </Term>
      )}
      <Term name={tOrders('validity')}>
        {order.postOnly === 1 ? `${words.validity(order)} · ${tTrade('postOnly')}` : words.validity(order)}
        <TimeLeft order={order} />
      </Term>
      <Term name={tDesk('rates')}>
        {formatPercent(order.makerRate, locale, { digits: 3 })} /{' '}
        {formatPercent(order.takerRate, locale, { digits: 3 })}
      </Term>
      <Term name={tOrders('selfTrade')}>{words.selfTrade(order.stp)}</Term>
      <Term name={tOrders('time')}>
        <When at={order.createTime} />
      </Term>
      <Term name={tOrders('updated')}>
        <When at={order.updateTime} />
      </Term>
      <Term name={tOrders('orderId')} isWide>
        <CopyId id={order.id} />
      </Term>
      {order.entryId !== '' && (
        <Term name={tTrade('entryOrder')} isWide>
          <CopyId id={order.entryId} />
        </Term>
      )}
      {order.clientId !== '' && (
        <Term name={tOrders('clientId')} isWide>
          <code>{order.clientId}</code>
        </Term>
      )}
    </dl>
  );
}

/**
 * Time until an open GTT (good-till-time) order expires; renders nothing for ended orders and for orders without an
 * expiry.
 */
function TimeLeft({ order }: { readonly order: OrderDetail }) {
  if (!isOpen(order) || order.expireTime === 0) return null;
  return (
    <small className={classes.left}>
      <Remaining until={order.expireTime} />
    </small>
  );
}

interface TermProps {
  readonly name: string;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

function Term({ name, isWide = false, children }: TermProps) {
  return (
    <div data-wide={isWide || undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/**
 * The order's id with two buttons: one copies the id, the other copies a link that opens the order's details.
 */
function CopyId({ id }: { readonly id: string }) {
  const tDesk = useWords('desktop-orders');
  const link = new URL(useHref(orderPath(id)), location.origin).href;
  const copy = useCopy();
  return (
    <span className={orders.id}>
      <code>{id}</code>
      <button
        type="button"
        className={orders.action}
        aria-label={tDesk('copyId')}
        title={tDesk('copyId')}
        onClick={() => void copy(id)}
      >
        <Copy size={14} aria-hidden="true" />
      </button>
      <button
        type="button"
        className={orders.action}
        aria-label={tDesk('copyLink')}
        title={tDesk('copyLink')}
        onClick={() => void copy(link, tDesk('linkCopied'))}
      >
        <Link2 size={15} aria-hidden="true" />
      </button>
    </span>
  );
}
