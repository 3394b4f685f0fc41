import { formatNarrow, formatPrice } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import type { BookSide as Side } from '@exchange/web-kit/market/book.ts';
import { BookColumns, type BookColumn } from '@exchange/web-kit/market/book-columns.tsx';
import { priceDrawn, useCalmDepth, type DepthShown } from '@exchange/web-kit/market/live.ts';
import { Skeleton } from '@exchange/web-kit/ui/parts.tsx';
import { memo, useMemo } from 'react';
import type { BookFigure } from './book-view.ts';
import css from './book.module.css';

export const ROW_PX = 24;

interface BookSideProps extends DepthShown {
  symbol: string;
  side: Side;
  priceDigits: number;
  amountDigits: number;
  figure: BookFigure;
  /** Takes the price of a row; undefined where a price means nothing to the order. */
  onPrice: ((price: string) => void) | undefined;
}

/** One side, the best price next to the middle: columns, which are seen, over rows, which are tapped and read out. */
export const BookSide = memo(function BookSide(props: BookSideProps) {
  return (
    <div className={css.side} data-side={props.side} style={{ height: props.rows * ROW_PX }}>
      <Rows {...props} />
      <Columns {...props} />
    </div>
  );
});

/** The place of a side that is not known yet. */
export function SideSkeleton({ rows }: Pick<BookSideProps, 'rows'>) {
  return Array.from({ length: rows }, (_, row) => (
    <div key={row} className={css.unknown}>
      <Skeleton height={12} />
    </div>
  ));
}

/** A row is its place, not its price: it never moves. Its words follow the book once a second. */
const Rows = memo(function Rows({ symbol, side, rows, grouping, figure, onPrice }: BookSideProps) {
  const t = useWords('trade');
  const tBook = useWords('mobile-trade');
  const name = figure === 'amount' ? t('amount') : tBook('cumulative');
  const levels = useCalmDepth(symbol, { rows, grouping })[side];
  const takePlace = (place: number): void => {
    const price = priceDrawn(symbol, { rows, grouping }, side, place);
    if (price !== undefined) onPrice?.(price);
  };
  return levels.map(({ price, [figure]: shown }, place) => (
    <button
      key={place}
      type="button"
      className={css.row}
      disabled={onPrice === undefined}
      aria-label={`${t('takePrice', { price })}, ${name} ${shown}`}
      onClick={() => takePlace(place)}
    />
  ));
});

function Columns({ symbol, side, rows, grouping, figure, priceDigits, amountDigits }: BookSideProps) {
  const locale = useLocale();
  const columns = useMemo(
    (): readonly BookColumn[] => [
      { className: css.price, textOf: ({ price }) => formatPrice(price, locale, priceDigits) },
      { textOf: ({ [figure]: shown }) => formatNarrow(shown, locale, amountDigits) },
    ],
    [figure, priceDigits, amountDigits, locale],
  );
  return (
    <BookColumns
      {...{ symbol, side, rows, grouping, columns }}
      rowPx={ROW_PX}
      isStacked
      className={css.columns}
    />
  );
}
