import { Decimal } from '@exchange/core/decimal.ts';
import type { ReactNode } from 'react';
import type { Read } from '../api/query-client.ts';
import { Amount, Price } from '../format/numbers.tsx';
import { useLocale, useWords } from '../i18n/words.ts';
import { ListBody } from '../list/list-body.tsx';
import type { MarketPair } from '../market/pair.ts';
import { DataTable } from '../ui/data-table.tsx';
import { timeWithMs } from './part-player.tsx';
import type { Explanation } from './queries.ts';
import css from './replay.module.css';

interface FillReasonProps {
  readonly pair: MarketPair;
  readonly explanation: Read<Explanation>;
}

/**
 * Explains the price of one of the user's fills: the price levels that the order was matched with, its place in the
 * queue, and the times.
 */
export function FillReason({ pair, explanation }: FillReasonProps) {
  const t = useWords('replay');
  const tOrders = useWords('orders');
  const { data } = explanation;
  return (
    <section className={css.reason}>
      <h2>{t('why')}</h2>
      <ListBody
        isLoading={explanation.isPending}
        error={explanation.error}
        onRetry={() => void explanation.refetch()}
        missing={{ text: tOrders('missing') }}
        skeletonRows={8}
      >
        {data === undefined ? null : (
          <>
            <Summary pair={pair} fill={data} />
            <Levels pair={pair} fill={data} />
            <Queue pair={pair} fill={data} />
            <Times fill={data} />
          </>
        )}
      </ListBody>
    </section>
  );
}

interface PartProps {
  readonly pair: MarketPair;
  readonly fill: Explanation;
}

function Summary({ pair, fill }: PartProps) {
  const t = useWords('replay');
  const tTrade = useWords('trade');
  const { recorded } = fill;
  const price = (value: string | undefined) => <Price value={value} digits={pair.priceDigits} />;
  return (
    <>
      <p>{t(fill.role === 'taker' ? 'whyTaker' : 'whyMaker')}</p>
      <dl className={css.facts}>
        <Fact name={tTrade(fill.tradeType === 1 ? 'buyCoin' : 'sellCoin', { coin: pair.base })}>
          <Amount value={fill.amount} digits={pair.amountDigits} coin={pair.base} />
        </Fact>
        <Fact name={tTrade('price')}>{price(fill.price)}</Fact>
        {fill.limitPrice === undefined ? null : <Fact name={t('limitPrice')}>{price(fill.limitPrice)}</Fact>}
        {recorded === undefined ? null : (
          <>
            <Fact name={t('bestBid')}>{price(recorded.bestBid)}</Fact>
            <Fact name={t('bestAsk')}>{price(recorded.bestAsk)}</Fact>
          </>
        )}
      </dl>
      {recorded === undefined ? <p className={css.note}>{t('bookUnknown')}</p> : null}
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Levels({ pair, fill: { recorded, price: ownPrice } }: PartProps) {
  const t = useWords('replay');
  const tTrade = useWords('trade');
  if (recorded === undefined) return null;
  const amount = (value: string | undefined) => <Amount value={value} digits={pair.amountDigits} />;
  const end = { align: 'end' } as const;
  return (
    <>
      <h3>{t('met')}</h3>
      <div className={css.levels} tabIndex={0} role="group" aria-label={t('met')}>
        <DataTable
          dense
          caption={t('met')}
          rows={recorded.levels}
          rowKey={({ price }) => price}
          columns={[
            {
              key: 'price',
              title: tTrade('price'),
              cell: ({ price }) => (
                <span data-own={price === ownPrice || undefined} className={css.metPrice}>
                  <Price value={price} digits={pair.priceDigits} />
                </span>
              ),
            },
            { key: 'before', title: t('before'), ...end, cell: ({ before }) => amount(before) },
            { key: 'traded', title: t('traded'), ...end, cell: ({ traded }) => amount(traded) },
            { key: 'after', title: t('left'), ...end, cell: ({ after }) => amount(after) },
          ]}
        />
      </div>
    </>
  );
}

function Queue({ pair, fill: { queue } }: PartProps) {
  const t = useWords('replay');
  const locale = useLocale();
  if (queue === undefined) return null;
  const { joinedTime, ahead, tradedBefore } = queue;
  const at = joinedTime === undefined ? '' : timeWithMs(joinedTime, locale);
  const isFirst = ahead !== undefined && Decimal.parse(ahead).isZero();
  const hasTradedBefore = tradedBefore !== undefined && !Decimal.parse(tradedBefore).isZero();
  return (
    <>
      <p>
        {ahead === undefined || joinedTime === undefined
          ? t('aheadUnknown')
          : isFirst
            ? t('aheadFirst', { at })
            : t('ahead', { amount: ahead, coin: pair.base, at })}
      </p>
      {hasTradedBefore ? <p>{t('sameBefore', { amount: tradedBefore, coin: pair.base })}</p> : null}
    </>
  );
}

/**
 * The times at which the order was received and placed and its fill was matched and committed. Beside a time,
 * the milliseconds since the previous one, unless they are more than `SHOWN_DIFFERENCE_MS`; for the maker not
 * beside the time of matching.
 */
function Times({ fill }: Pick<PartProps, 'fill'>) {
  const t = useWords('replay');
  const { role, receivedTime, placedTime, matchedTime, committedTime } = fill;
  return (
    <dl className={css.facts}>
      <Fact name={t('received')}>
        <Time at={receivedTime} />
      </Fact>
      <Fact name={t('placed')}>
        <Time at={placedTime} since={receivedTime} />
      </Fact>
      <Fact name={t('matched')}>
        {/* For the maker, the milliseconds since the order was placed are not shown: they depend on when another user
            trades with the order. */}
        <Time at={matchedTime} since={role === 'taker' ? placedTime : undefined} />
      </Fact>
      <Fact name={t('committed')}>
        <Time at={committedTime} since={matchedTime} />
      </Fact>
    </dl>
  );
}

/**
 * Maximum difference in milliseconds between two times that is shown. A longer difference does not come from the
 * exchange's processing and is omitted.
 */
const SHOWN_DIFFERENCE_MS = 10_000;

function Time({ at, since }: { readonly at: number | undefined; readonly since?: number | undefined }) {
  const t = useWords('replay');
  const locale = useLocale();
  if (at === undefined) return <>{t('notRecorded')}</>;
  const difference = since === undefined ? undefined : at - since;
  return (
    <>
      <span translate="no">{timeWithMs(at, locale)}</span>
      {difference === undefined || difference > SHOWN_DIFFERENCE_MS ? null : (
        <small> {t('later', { ms: Math.max(0, difference) })}</small>
      )}
    </>
  );
}
