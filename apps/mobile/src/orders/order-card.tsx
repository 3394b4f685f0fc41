import { Decimal } from '@exchange/core/decimal.ts';
import { Amount, Price, When } from '@exchange/web-kit/format/numbers.tsx';
import { Remaining } from '@exchange/web-kit/format/remaining.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import type { PairDigits } from '@exchange/web-kit/market/digits.ts';
import { canAmend } from '@exchange/web-kit/spot/amend-form.ts';
import { statusTone, useOrderWords } from '@exchange/web-kit/spot/order-words.ts';
import type { Fill, Order } from '@exchange/web-kit/spot/queries.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { Badge } from '@exchange/web-kit/ui/parts.tsx';
import { CancelButton, CardHead, Fact, FilledBar } from './card-parts.tsx';
import { WhyLink } from '@exchange/web-kit/replay/replay-link.tsx';
import css from './orders.module.css';

interface OpenCardProps {
  order: Order;
  digits: PairDigits;
  onAmend: (order: Order) => void;
}

/**
 * Card of an open order with its terms, its progress, a button to cancel it, and a button to amend it if it can be
 * amended.
 */
export function OpenCard({ order, digits, onAmend }: OpenCardProps) {
  const t = useWords('orders');
  const trade = useWords('trade');
  const words = useOrderWords();
  return (
    <li className={css.card}>
      <CardHead
        order={order}
        kind={words.kind(order)}
        end={
          <>
            {canAmend(order) ? <AmendButton order={order} onAmend={onAmend} /> : null}
            <CancelButton order={order} />
          </>
        }
      />
      <FilledBar order={order} />
      <dl className={css.facts}>
        <Fact name={t('price')}>
          <OrderPrice order={order} digits={digits} />
        </Fact>
        <Fact name={t('filled')}>
          <FilledOf order={order} digits={digits} />
        </Fact>
        <Fact name={t('time')}>
          <When at={order.createTime} look="minute" />
        </Fact>
        <Validity order={order} />
        {order.takeProfitPrice === '' ? null : (
          <Fact name={trade('takeProfit')}>
            <Price value={order.takeProfitPrice} digits={digits.price} />
          </Fact>
        )}
        {order.stopLossPrice === '' ? null : (
          <Fact name={trade('stopLoss')}>
            <Price value={order.stopLossPrice} digits={digits.price} />
          </Fact>
        )}
      </dl>
    </li>
  );
}

/**
 * Card of a stop order that has not been triggered, or of an order that waits until the working order of its OTO is
 * filled.
 */
export function StopCard({ order, digits, onAmend }: OpenCardProps) {
  const t = useWords('orders');
  const trade = useWords('trade');
  const words = useOrderWords();
  const trail = words.trail(order);
  const condition = words.condition(order, digits.price);
  const activation = words.activation(order, digits.price);
  return (
    <li className={css.card}>
      <CardHead
        order={order}
        kind={words.kind(order)}
        end={
          <>
            {canAmend(order) ? <AmendButton order={order} onAmend={onAmend} /> : null}
            <CancelButton order={order} />
          </>
        }
      />
      <dl className={css.facts}>
        {condition === '' ? null : <Fact name={t('trigger')}>{condition}</Fact>}
        <Fact name={t('price')}>
          <OrderPrice order={order} digits={digits} />
        </Fact>
        {order.amount === '' ? (
          <Fact name={t('total')}>
            <Amount value={order.total} kind="sum" coin={order.quoteCoin} />
          </Fact>
        ) : (
          <Fact name={t('amount')}>
            <Amount value={order.amount} digits={digits.amount} coin={order.baseCoin} />
          </Fact>
        )}
        {trail === '' ? null : <Fact name={t('distance')}>{trail}</Fact>}
        <Fact name={t('time')}>
          <When at={order.createTime} look="minute" />
        </Fact>
        {/* The time in force is shown only for orders with a limit price, because other orders execute
            immediately once they are triggered. */}
        {order.price === '' ? null : <Validity order={order} />}
        {activation === '' ? null : (
          <Fact name={trade('activation')} isWide>
            {activation}
          </Fact>
        )}
      </dl>
    </li>
  );
}

/** Card of an order that is no longer open (filled, cancelled, expired or rejected) with its result. */
export function PastCard({ order, digits }: { order: Order; digits: PairDigits }) {
  const t = useWords('orders');
  const words = useOrderWords();
  const isTouched = !Decimal.parse(order.filledAmount).isZero();
  return (
    <li className={css.card}>
      <CardHead
        order={order}
        kind={words.kind(order)}
        end={<Badge tone={statusTone(order)}>{words.status(order)}</Badge>}
      />
      <dl className={css.facts}>
        <Fact name={t('price')}>
          <OrderPrice order={order} digits={digits} />
        </Fact>
        {isTouched ? (
          <Fact name={t('average')}>
            <Price value={order.avgPrice} digits={digits.price} />
          </Fact>
        ) : null}
        <Fact name={t('time')}>
          <When at={order.createTime} look="minute" />
        </Fact>
        <Fact name={`${t('filled')} / ${t(order.amount === '' ? 'total' : 'amount')}`} isWide>
          <FilledOf order={order} digits={digits} />
        </Fact>
      </dl>
    </li>
  );
}

export function FillCard({ fill, digits }: { fill: Fill; digits: PairDigits }) {
  const t = useWords('orders');
  return (
    <li className={css.card}>
      <CardHead
        order={{ ...fill, id: fill.orderId }}
        kind={t(fill.role)}
        end={<When at={fill.ts} look="minute" className={css.when} />}
      />
      <dl className={css.facts}>
        <Fact name={t('price')}>
          <Price value={fill.price} digits={digits.price} />
        </Fact>
        <Fact name={t('amount')}>
          <Amount value={fill.amount} digits={digits.amount} />
        </Fact>
        <Fact name={t('total')}>
          <Amount value={fill.total} kind="sum" coin={fill.quoteCoin} />
        </Fact>
        <Fact name={t('fee')}>
          <Amount value={fill.fee} kind="fee" coin={fill.feeCoin} />
        </Fact>
      </dl>
      <WhyLink fill={fill} />
    </li>
  );
}

/** The limit price of an order; for an order without one the word "market". */
export function OrderPrice({ order, digits }: { order: Pick<Order, 'price'>; digits: PairDigits }) {
  const t = useWords('orders');
  return order.price === '' ? t('marketPrice') : <Price value={order.price} digits={digits.price} />;
}

/**
 * The filled and the ordered amount in the base coin; for an order by total, the filled and the ordered total in the
 * quote coin.
 */
function FilledOf({ order, digits }: { order: Order; digits: PairDigits }) {
  if (order.amount === '')
    return (
      <>
        <Amount value={order.filledTotal} kind="sum" figureCoin={order.quoteCoin} />
        <span className={css.of}>
          {' / '}
          <Amount value={order.total} kind="sum" coin={order.quoteCoin} />
        </span>
      </>
    );
  return (
    <>
      <Amount value={order.filledAmount} digits={digits.amount} />
      <span className={css.of}>
        {' / '}
        <Amount value={order.amount} digits={digits.amount} />
      </span>
    </>
  );
}

/** Line with the time until a GTT (good-till-time) order expires; for other orders the time in force. */
function Validity({ order }: { order: Order }) {
  const t = useWords('orders');
  const words = useOrderWords();
  if (order.timeInForce === 'GTT' && order.expireTime > 0) {
    return (
      <Fact name={t('expires')}>
        <Remaining until={order.expireTime} />
      </Fact>
    );
  }
  return <Fact name={t('validity')}>{words.validity(order)}</Fact>;
}

function AmendButton({ order, onAmend }: Pick<OpenCardProps, 'order' | 'onAmend'>) {
  const t = useWords('orders');
  const trade = useWords('trade');
  const side = trade(order.tradeType === 1 ? 'buy' : 'sell');
  return (
    <Button
      look="secondary"
      size="s"
      className={css.action}
      aria-label={t('amendOrder', {
        side,
        amount: order.amount === '' ? order.total : order.amount,
        price: order.price === '' ? order.stopPrice : order.price,
      })}
      onClick={() => onAmend(order)}
    >
      {t('amend')}
    </Button>
  );
}

interface OcoCardProps {
  limit: Order;
  stop: Order;
  digits: PairDigits;
  onAmend: (order: Order) => void;
}

/**
 * Card with both orders of an OCO, the resting limit order and the stop order, a button to amend each, and a single
 * button that cancels both.
 */
export function OcoCard({ limit, stop, digits, onAmend }: OcoCardProps) {
  const t = useWords('orders');
  const tMobile = useWords('mobile-orders');
  const trade = useWords('trade');
  const words = useOrderWords();
  return (
    <li className={css.card}>
      <CardHead order={limit} kind={trade('oco')} end={<CancelButton order={limit} />} />
      <dl className={css.legs}>
        <div className={css.leg}>
          <dt>{tMobile('legLimit')}</dt>
          <dd>
            <OrderPrice order={limit} digits={digits} /> <AmendButton order={limit} onAmend={onAmend} />
          </dd>
        </div>
        <div className={css.leg}>
          <dt>{tMobile('legStop')}</dt>
          <dd>
            {words.condition(stop, digits.price)}
            <span className={css.of}>
              {' → '}
              <OrderPrice order={stop} digits={digits} />
            </span>{' '}
            <AmendButton order={stop} onAmend={onAmend} />
          </dd>
        </div>
      </dl>
      <dl className={css.facts}>
        <Fact name={t('amount')}>
          <Amount value={limit.amount} digits={digits.amount} coin={limit.baseCoin} />
        </Fact>
        <Fact name={t('time')}>
          <When at={limit.createTime} look="minute" />
        </Fact>
      </dl>
    </li>
  );
}
