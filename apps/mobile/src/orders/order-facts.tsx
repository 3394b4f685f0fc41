import { Decimal } from '@exchange/core/decimal.ts';
import { formatPercent } from '@exchange/web-kit/format/format.ts';
import { Amount, When } from '@exchange/web-kit/format/numbers.tsx';
import { Remaining } from '@exchange/web-kit/format/remaining.tsx';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import type { PairDigits } from '@exchange/web-kit/market/digits.ts';
import { useCopy } from '@exchange/web-kit/form/copy-button.tsx';
import { useExitWords } from '@exchange/web-kit/spot/exit-words.ts';
import { useOrderWords } from '@exchange/web-kit/spot/order-words.ts';
import type { OrderDetail } from '@exchange/web-kit/spot/queries.ts';
import { IconButton } from '@exchange/web-kit/ui/button.tsx';
import { Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import { OrderPrice } from './order-card.tsx';
import css from './order-screen.module.css';

interface OrderFactsProps {
  order: OrderDetail;
  digits: PairDigits;
}

/** The terms and the result of an order, one line each. */
export function OrderFacts(props: OrderFactsProps) {
  return (
    <dl className={css.facts}>
      <TermsAndPrices {...props} />
      <Times order={props.order} />
      <Terms order={props.order} />
    </dl>
  );
}

function TermsAndPrices({ order, digits }: OrderFactsProps) {
  const t = useWords('orders');
  const trade = useWords('trade');
  const words = useOrderWords();
  const exits = useExitWords();
  const condition = words.condition(order, digits.price);
  const activation = words.activation(order, digits.price, 'withTime');
  const trail = words.trail(order);
  const isTouched = !Decimal.parse(order.filledAmount).isZero();
  return (
    <>
      {/* The limit price has its own line if the order has a fill; the header of the screen shows it only for an
          order without a fill. */}
      {isTouched ? (
        <Line name={t('price')}>
          <OrderPrice order={order} digits={digits} />
        </Line>
      ) : null}
      {condition === '' ? null : <Line name={t('trigger')}>{condition}</Line>}
      {activation === '' ? null : <Line name={trade('activation')}>{activation}</Line>}
      {trail === '' ? null : <Line name={t('distance')}>{trail}</Line>}
      {order.exitStatus === '' ? null : (
        <>
          <Line name={trade('tpsl')}>{exits.prices(order, digits.price)}</Line>
          <Line name={t('status')}>{exits.status(order)}</Line>
        </>
      )}
      {isTouched || order.total !== '' ? (
        <Line name={t('total')}>
          {order.total === '' ? (
            <Amount value={order.filledTotal} kind="sum" coin={order.quoteCoin} />
          ) : (
            <>
              <Amount value={order.filledTotal} kind="sum" figureCoin={order.quoteCoin} />
              {' / '}
              <Amount value={order.total} kind="sum" coin={order.quoteCoin} />
            </>
          )}
        </Line>
      ) : null}
      {Decimal.parse(order.fee).isZero() ? null : <FeeAndReceived order={order} />}
    </>
  );
}

/**
 * Lines with the trading fee and the received amount of an order. The fee is charged in the coin that the user
 * receives: the base coin for a buy, the quote coin for a sell.
 */
function FeeAndReceived({ order }: { order: OrderDetail }) {
  const t = useWords('orders');
  const tMobile = useWords('mobile-orders');
  const gross = Decimal.parse(order.tradeType === 1 ? order.filledAmount : order.filledTotal);
  return (
    <>
      <Line name={t('fee')}>
        <Amount value={order.fee} kind="fee" coin={order.feeCoin} />
      </Line>
      <Line name={tMobile('received')}>
        <Amount value={gross.minus(Decimal.parse(order.fee)).toString()} kind="sum" coin={order.feeCoin} />
      </Line>
    </>
  );
}

function Times({ order }: { order: OrderDetail }) {
  const t = useWords('orders');
  return (
    <>
      <Line name={t('time')}>
        <When at={order.createTime} />
      </Line>
      {order.triggerTime === 0 ? null : (
        <Line name={t('triggeredAt')}>
          <When at={order.triggerTime} />
        </Line>
      )}
      {order.updateTime === order.createTime ? null : (
        <Line name={t('updated')}>
          <When at={order.updateTime} />
        </Line>
      )}
      {order.expireTime > 0 && order.status < 2 ? (
        <Line name={t('expires')}>
          <Remaining until={order.expireTime} />
        </Line>
      ) : null}
    </>
  );
}

function Terms({ order }: { order: OrderDetail }) {
  const t = useWords('orders');
  const tMobile = useWords('mobile-orders');
  const trade = useWords('trade');
  const words = useOrderWords();
  const locale = useLocale();
  const rate = (fraction: string) => formatPercent(fraction, locale);
  return (
    <>
      <Line name={t('validity')}>{words.validity(order)}</Line>
      {order.postOnly === 1 ? <Line name={t('postOnly')}>{tMobile('yes')}</Line> : null}
      <Line name={t('selfTrade')}>{words.selfTrade(order.stp)}</Line>
      <Line name={`${t('makerRate')} / ${t('takerRate')}`}>
        {rate(order.makerRate)} / {rate(order.takerRate)}
      </Line>
      <Line name={t('orderId')}>
        <OrderId id={order.id} />
      </Line>
      {order.entryId === '' ? null : (
        <Line name={trade('entryOrder')}>
          <OrderId id={order.entryId} />
        </Line>
      )}
    </>
  );
}

function OrderId({ id }: { id: string }) {
  const t = useWords('mobile-orders');
  const copy = useCopy();
  return (
    <span className={css.id}>
      <span title={id}>{id}</span>
      <IconButton label={t('copyId')} className={css.copy} onClick={() => void copy(id)}>
        <Copy size={16} aria-hidden="true" />
      </IconButton>
    </span>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={css.line}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
