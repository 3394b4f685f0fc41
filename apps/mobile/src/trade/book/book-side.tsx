import { formatNarrow, formatPrice } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import type { BookSide as Side } from '@exchange/web-kit/market/book.ts';
import { WrittenBars, writeBars } from '@exchange/web-kit/market/depth-bars.tsx';
import { depthNow, followDepth, useCalmDepth, type DepthShown } from '@exchange/web-kit/market/live.ts';
import { Skeleton } from '@exchange/web-kit/ui/parts.tsx';
import { writeLines } from '@exchange/web-kit/ui/written-text.ts';
import { memo, useLayoutEffect, useRef } from 'react';
import css from './book.module.css';

export const ROW_PX = 24;

interface BookSideProps extends DepthShown {
  symbol: string;
  side: Side;
  priceDigits: number;
  amountDigits: number;
  /** Takes the price of a row; undefined where a price means nothing to the order. */
  onPrice: ((price: string) => void) | undefined;
}

/**
 * One side, the best price next to the middle. What is seen are two columns of text and one shape with all bars;
 * what is tapped and read out are the rows below them.
 */
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
const Rows = memo(function Rows({ symbol, side, rows, grouping, onPrice }: BookSideProps) {
  const t = useWords('trade');
  const levels = useCalmDepth(symbol, { rows, grouping })[side];
  const takePlace = (place: number): void => {
    const row = depthNow(symbol, { rows, grouping })[side][place];
    if (row !== undefined) onPrice?.(row.price);
  };
  return levels.map(({ price, amount }, place) => (
    <button
      key={place}
      type="button"
      className={css.row}
      disabled={onPrice === undefined}
      aria-label={`${t('takePrice', { price })}, ${t('amount')} ${amount}`}
      onClick={() => takePlace(place)}
    />
  ));
});

function Columns({ symbol, side, rows, grouping, priceDigits, amountDigits }: BookSideProps) {
  const locale = useLocale();
  const box = useRef<HTMLDivElement>(null);
  const bars = useRef<SVGSVGElement>(null);
  const prices = useRef<HTMLPreElement>(null);
  const amounts = useRef<HTMLPreElement>(null);
  useLayoutEffect(
    () =>
      followDepth(symbol, { rows, grouping }, ({ [side]: best }) => {
        const levels = side === 'asks' ? best.toReversed() : best;
        if (box.current !== null) box.current.style.height = `${levels.length * ROW_PX}px`;
        if (bars.current !== null) writeBars(bars.current, levels, ROW_PX, 0);
        writeLines(prices.current, levels, ({ price }) => formatPrice(price, locale, priceDigits));
        writeLines(amounts.current, levels, ({ amount }) => formatNarrow(amount, locale, amountDigits));
      }),
    [symbol, side, rows, grouping, priceDigits, amountDigits, locale],
  );
  return (
    <div ref={box} className={css.columns} aria-hidden="true">
      <WrittenBars ref={bars} side={side} />
      <pre ref={prices} className={css.price} />
      <pre ref={amounts} />
    </div>
  );
}
