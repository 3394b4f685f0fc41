import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useBookRefused, useBookState } from '@exchange/web-kit/market/live.ts';
import { digitsOf } from '@exchange/web-kit/market/book.ts';
import { useGroupings } from '@exchange/web-kit/market/use-groupings.ts';
import { LastPrice } from '@exchange/web-kit/market/live-figures.tsx';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { TopicRefused } from '@exchange/web-kit/market/topic-refused.tsx';
import { EmptyState, SkeletonRows } from '@exchange/web-kit/ui/parts.tsx';
import { memo, useRef } from 'react';
import { BookControls } from './book-controls.tsx';
import { BookSide } from './book-side.tsx';
import { stepOf } from './book-view.ts';
import { LEAST_PX } from './fitting-rows.ts';
import classes from './order-book.module.css';
import { Spread } from './spread.tsx';
import type { BookViewControl } from './use-book-view.ts';
import { useFittingRows } from './use-fitting-rows.ts';
import { useOwnAmounts } from './use-own-amounts.ts';

const COMPACT_ROWS = 5;

interface OrderBookProps {
  readonly pair: MarketPair;
  readonly view: BookViewControl;
  /** A click on a row takes its price. */
  readonly onTake: (price: string) => void;
}

/** The live book: depth bars, grouping by price step, both sides or one, up to 50 rows or 5, own orders marked. */
export function OrderBook({ pair, view, onTake }: OrderBookProps) {
  const t = useWords('trade');
  const { sides, isCompact } = view;
  const groupings = useGroupings(pair);
  const state = useBookState(pair.symbol);
  const refused = useBookRefused(pair.symbol);
  const step = stepOf(view, pair.symbol, groupings);
  const box = useRef<HTMLDivElement>(null);
  const fitting = useFittingRows(box, sides === 'both' ? 2 : 1);
  const rows = isCompact ? COMPACT_ROWS : fitting.rows;
  const grouping = step === groupings[0] ? undefined : step;
  const own = useOwnAmounts(pair, grouping);
  const shape = {
    symbol: pair.symbol,
    rows,
    rowPx: isCompact ? LEAST_PX : fitting.rowPx,
    grouping,
    priceDigits: Math.min(pair.priceDigits, digitsOf(step)),
    amountDigits: Math.min(pair.amountDigits, 5),
    onTake,
  };

  return (
    <section className={classes.book} aria-label={t('book')} data-compact={isCompact || undefined}>
      <BookControls
        view={view}
        grouping={step}
        groupings={groupings}
        onGrouping={(chosen) => view.setStep(pair.symbol, chosen)}
      />
      <div className={classes.head} aria-hidden="true">
        <span>{t('priceField', { coin: pair.quote })}</span>
        <span>{t('amountField', { coin: pair.base })}</span>
        <span>{t('cumulativeField', { coin: pair.base })}</span>
      </div>
      <div ref={box} className={classes.body} data-live>
        {state === 'unknown' && refused !== undefined ? (
          <TopicRefused topic={refused} />
        ) : state === 'unknown' ? (
          <div className={classes.skeleton}>
            <SkeletonRows rows={isCompact ? 10 : 18} height={10} gap={10} />
          </div>
        ) : state === 'empty' ? (
          <EmptyState text={t('bookEmpty')} />
        ) : (
          <div className={classes.sides}>
            {sides !== 'bids' && <BookSide side="asks" own={own.asks} {...shape} />}
            <Middle pair={pair} />
            {sides !== 'asks' && <BookSide side="bids" own={own.bids} {...shape} />}
          </div>
        )}
      </div>
    </section>
  );
}

/** The last price and the spread. */
const Middle = memo(function Middle({ pair }: { readonly pair: MarketPair }) {
  return (
    <div className={classes.middle}>
      <div className={classes.prices}>
        <span className={classes.last}>
          <LastPrice pair={pair} arrow />
        </span>
        <Spread pair={pair} />
      </div>
    </div>
  );
});
