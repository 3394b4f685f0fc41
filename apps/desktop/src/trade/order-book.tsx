import { formatDecimal, formatNarrow, formatPrice } from '@exchange/web-kit/format/format.ts';
import { Price } from '@exchange/web-kit/format/numbers.tsx';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import type { DepthRow } from '@exchange/web-kit/market/book.ts';
import { useBookState, useDepth, useTickerPart, type DepthShown } from '@exchange/web-kit/market/live.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { EmptyState, SkeletonRows } from '@exchange/web-kit/ui/parts.tsx';
import { memo, useRef } from 'react';
import { BookControls } from './book-controls.tsx';
import { digitsOf, groupingsOf } from '@exchange/web-kit/market/book-grouping.ts';
import { stepOf } from './book-view.ts';
import classes from './order-book.module.css';
import { Spread } from './spread.tsx';
import type { BookViewControl } from './use-book-view.ts';
import { useFittingRows } from './use-fitting-rows.ts';
import { useOwnAmounts } from './use-own-amounts.ts';

const FULL_ROWS = 20;
const COMPACT_ROWS = 5;

interface OrderBookProps {
  readonly pair: MarketPair;
  readonly view: BookViewControl;
  /** A click on a row takes its price. */
  readonly onTake: (price: string) => void;
}

/** The live book: depth bars, grouping by price step, both sides or one, 20 rows or 5, own orders marked. */
export function OrderBook({ pair, view, onTake }: OrderBookProps) {
  const t = useWords('trade');
  const { sides, isCompact } = view;
  const last = useTickerPart(pair.symbol, (ticker) => ticker?.last);
  const state = useBookState(pair.symbol);
  const groupings = groupingsOf(pair.priceDigits, last);
  const step = stepOf(view, pair.symbol, groupings);
  const box = useRef<HTMLDivElement>(null);
  const fitting = useFittingRows(box, sides === 'both' ? 2 : 1);
  const rows = isCompact ? COMPACT_ROWS : Math.min(FULL_ROWS, fitting);
  const grouping = step === groupings[0] ? undefined : step;
  const own = useOwnAmounts(pair, grouping);
  const shape = {
    symbol: pair.symbol,
    rows,
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
        <span>{t('cumulative')}</span>
      </div>
      <div ref={box} className={classes.body}>
        {state === 'unknown' ? (
          <div className={classes.skeleton}>
            <SkeletonRows rows={isCompact ? 10 : 18} height={10} gap={10} />
          </div>
        ) : state === 'empty' ? (
          <EmptyState text={t('bookEmpty')} />
        ) : (
          <div className={classes.sides}>
            {sides !== 'bids' && <Side side="asks" own={own.asks} {...shape} />}
            <Middle pair={pair} />
            {sides !== 'asks' && <Side side="bids" own={own.bids} {...shape} />}
          </div>
        )}
      </div>
    </section>
  );
}

/** The last price and the spread. */
const Middle = memo(function Middle({ pair }: { readonly pair: MarketPair }) {
  const last = useTickerPart(pair.symbol, (ticker) => ticker?.last);
  const direction = useTickerPart(pair.symbol, (ticker) => ticker?.direction);
  return (
    <div className={classes.middle}>
      <span className={classes.last}>
        <Price value={last} digits={pair.priceDigits} direction={direction} />
        <span aria-hidden="true" className={classes.arrow} data-direction={direction}>
          {direction === 'up' ? '↑' : direction === 'down' ? '↓' : ''}
        </span>
      </span>
      <Spread pair={pair} />
    </div>
  );
});

interface SideProps extends DepthShown {
  readonly symbol: string;
  readonly side: 'bids' | 'asks';
  /** One's own part of a row, by its price. */
  readonly own: ReadonlyMap<string, string>;
  readonly priceDigits: number;
  readonly amountDigits: number;
  readonly onTake: (price: string) => void;
}

/**
 * One side, drawn when its turn comes; asks stand on their head, so that the best price lies next to the
 * middle. A row is its place, not its price: an update then changes texts and moves nothing.
 */
const Side = memo(function Side({ symbol, side, rows, grouping, own, ...shape }: SideProps) {
  const levels = useDepth(symbol, { rows, grouping })[side];
  return (
    <div className={classes.side} data-side={side}>
      {levels.map((row, place) => (
        <Row key={place} side={side} {...row} mine={own.get(row.price)} {...shape} />
      ))}
    </div>
  );
});

interface RowProps extends DepthRow, Pick<SideProps, 'side' | 'priceDigits' | 'amountDigits' | 'onTake'> {
  readonly mine: string | undefined;
}

/** One row; an update of the book renders those that it changes. */
const Row = memo(function Row({ side, mine, priceDigits, amountDigits, onTake, ...row }: RowProps) {
  const tDesk = useWords('desktop-trade');
  const locale = useLocale();
  const price = formatPrice(row.price, locale, priceDigits);
  const amount = formatPrice(row.amount, locale, amountDigits);
  const about = tDesk(side === 'asks' ? 'book.takeAsk' : 'book.takeBid', { price, amount });
  const title = mine === undefined ? undefined : tDesk('book.own', { amount: formatDecimal(mine, locale) });
  return (
    <button
      type="button"
      className={classes.row}
      tabIndex={-1}
      aria-label={title === undefined ? about : `${about}. ${title}`}
      title={title}
      data-own={mine === undefined ? undefined : true}
      style={{ backgroundSize: `${(row.share * 100).toFixed(0)}% calc(100% - 2px)` }}
      onClick={() => onTake(row.price)}
    >
      <span className={classes.price}>{price}</span>
      <span>{formatNarrow(row.amount, locale, amountDigits)}</span>
      <span>{formatNarrow(row.total, locale, amountDigits)}</span>
    </button>
  );
});
