import { Decimal } from '@exchange/core/decimal.ts';
import { formatPercent } from '@exchange/web-kit/format/format.ts';
import { Amount, Price, When } from '@exchange/web-kit/format/numbers.tsx';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { digitsOfPair, type PairDigits } from '@exchange/web-kit/market/digits.ts';
import { usePair, usePairs } from '@exchange/web-kit/market/queries.ts';
import { canAmend } from '@exchange/web-kit/spot/amend-form.ts';
import { statusTone, useOrderWords, useAmendmentWords } from '@exchange/web-kit/spot/order-words.ts';
import { type OrderDetail, useOrderDetail } from '@exchange/web-kit/spot/queries.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { Badge } from '@exchange/web-kit/ui/parts.tsx';
import { useState } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { recordsPath } from '../paths.ts';
import { Screen } from '../shell/screen.tsx';
import { CancelButton, FilledBar, filledShare, SideWord } from './card-parts.tsx';
import { OrderPrice } from './order-card.tsx';
import { OrderFacts } from './order-facts.tsx';
import { AmendingSheet } from './order-lists.tsx';
import { WhyLink } from '@exchange/web-kit/replay/replay-link.tsx';
import css from './order-screen.module.css';

/**
 * Screen with the details of an order: terms, result, fills with fees, amendments, and buttons to amend and cancel it.
 * A URL without an order id redirects to the order history.
 */
export default function OrderScreen() {
  const t = useWords('orders');
  const [query] = useSearchParams();
  const id = query.get('id') ?? undefined;
  const detail = useOrderDetail(id);
  // The figures of the order are rendered only once the pair's decimals are known; otherwise their format would change
  // afterwards and move the lines below them.
  const isPairPending = usePairs().isPending;
  if (id === undefined) return <Navigate to={recordsPath('history')} replace />;
  return (
    <Screen title={t('detail')} parent={recordsPath('history')}>
      <ListBody
        look="cards"
        isLoading={detail.isPending || isPairPending}
        error={detail.error}
        onRetry={() => void detail.refetch()}
        missing={{ text: t('missing'), list: { name: t('history'), path: recordsPath('history') } }}
        skeletonRows={10}
      >
        {detail.data === undefined ? null : <Order order={detail.data} />}
      </ListBody>
    </Screen>
  );
}

function Order({ order }: { order: OrderDetail }) {
  const pair = usePair(order.symbol).data ?? undefined;
  const digits = digitsOfPair(pair);
  const [isAmending, setAmending] = useState(false);
  const isOpen = order.status < 2;
  return (
    <div className={css.order}>
      <Head order={order} digits={digits} />
      <OrderFacts order={order} digits={digits} />
      <OrderFills order={order} digits={digits} />
      <Amendments order={order} digits={digits} />
      {isOpen ? (
        <div className={css.actions}>
          {canAmend(order) ? <AmendButton onPress={() => setAmending(true)} /> : null}
          <CancelButton order={order} look="large" />
        </div>
      ) : null}
      <AmendingSheet
        order={isAmending && canAmend(order) ? order : undefined}
        pair={pair}
        onClose={() => setAmending(false)}
      />
    </div>
  );
}

function AmendButton({ onPress }: { onPress: () => void }) {
  const t = useWords('orders');
  return (
    <Button size="l" onClick={onPress}>
      {t('amend')}
    </Button>
  );
}

/**
 * Header of the order's details: the pair, the status with its reason, the side and the kind, the filled amount and
 * share, and the average price, or the order's price before the first fill.
 */
function Head({ order, digits }: { order: OrderDetail; digits: PairDigits }) {
  const t = useWords('orders');
  const tMobile = useWords('mobile-orders');
  const locale = useLocale();
  const words = useOrderWords();
  const share = filledShare(order);
  const isTouched = !Decimal.parse(order.filledAmount).isZero();
  return (
    <section className={css.head}>
      <div className={css.headTop}>
        <h2>
          {order.baseCoin}/{order.quoteCoin}
        </h2>
        <Badge tone={statusTone(order)}>{words.status(order)}</Badge>
      </div>
      <p className={css.kind}>
        <SideWord tradeType={order.tradeType} /> {words.kind(order)}
      </p>
      <dl className={css.figures}>
        <div>
          <dt>{t('filled')}</dt>
          <dd>
            <Amount value={order.filledAmount} digits={digits.amount} />
            <small>
              {order.amount === '' ? null : (
                <>
                  {' / '}
                  <Amount value={order.amount} digits={digits.amount} />
                </>
              )}{' '}
              {order.baseCoin}
            </small>
          </dd>
        </div>
        <div>
          <dt>{isTouched ? t('average') : t('price')}</dt>
          <dd>
            {isTouched ? (
              <Price value={order.avgPrice} digits={digits.price} />
            ) : (
              <OrderPrice order={order} digits={digits} />
            )}
            <small> {order.quoteCoin}</small>
          </dd>
        </div>
      </dl>
      <FilledBar order={order} />
      {share === undefined ? null : (
        <p className={css.share} aria-hidden="true">
          {tMobile('filledShare', { percent: formatPercent(share.toString(), locale, { digits: 0 }) })}
        </p>
      )}
      {words.reason(order) === '' ? null : <p className={css.reason}>{words.reason(order)}</p>}
    </section>
  );
}

/** The newest amendments of the order, newest first; renders nothing for an order without amendments. */
function Amendments({ order, digits }: { order: OrderDetail; digits: PairDigits }) {
  const t = useWords('orders');
  const phrasesOf = useAmendmentWords(digits.price);
  if (order.amendments.length === 0) return null;
  return (
    <section>
      <h2 className={css.heading}>{t('amendments')}</h2>
      {order.amendmentCount > order.amendments.length ? (
        <p className={css.none}>
          {t('newestOf', { shown: order.amendments.length, total: order.amendmentCount })}
        </p>
      ) : null}
      <ul className={css.fills}>
        {order.amendments.toReversed().map((change) => {
          const phrases = phrasesOf(change);
          return (
            <li key={`${change.time} ${phrases.join()}`} className={css.fill}>
              {phrases.map((phrase) => (
                <p key={phrase}>{phrase}</p>
              ))}
              <small>
                <When at={change.time} />
              </small>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** The list of an order's newest fills, each with the user's role (maker or taker) and the fee. */
function OrderFills({ order, digits }: { order: OrderDetail; digits: PairDigits }) {
  const t = useWords('orders');
  return (
    <section>
      <h2 className={css.heading}>{t('ownFills')}</h2>
      {order.fillCount > order.fills.length ? (
        <p className={css.none}>{t('newestOf', { shown: order.fills.length, total: order.fillCount })}</p>
      ) : null}
      {order.fills.length === 0 ? (
        <p className={css.none}>{t('noFills')}</p>
      ) : (
        <ul className={css.fills}>
          {order.fills.map((fill) => (
            <li key={fill.tradeId} className={css.fill}>
              <div className={css.fillLine}>
                <span className={css.fillPrice}>
                  <Price value={fill.price} digits={digits.price} />
                  <small> {order.quoteCoin}</small>
                </span>
                <Amount value={fill.amount} digits={digits.amount} coin={order.baseCoin} />
              </div>
              <div className={css.fillLine}>
                <small>
                  {t(fill.role)} · <When at={fill.ts} />
                </small>
                <small>
                  {t('fee')} <Amount value={fill.fee} kind="fee" coin={fill.feeCoin} />
                </small>
              </div>
              <WhyLink
                fill={{
                  tradeId: fill.tradeId,
                  ts: fill.ts,
                  baseCoin: order.baseCoin,
                  quoteCoin: order.quoteCoin,
                }}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
