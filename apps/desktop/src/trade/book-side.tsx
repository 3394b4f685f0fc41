import { formatNarrow, formatPrice } from '@exchange/web-kit/format/format.ts';
import { useLocale } from '@exchange/web-kit/i18n/words.ts';
import { WrittenBars, writeBars } from '@exchange/web-kit/market/depth-bars.tsx';
import { followDepth } from '@exchange/web-kit/market/live.ts';
import { writeLines } from '@exchange/web-kit/ui/written-text.ts';
import { memo, useLayoutEffect, useRef } from 'react';
import { BookRows, type BookSideProps } from './book-rows.tsx';
import classes from './order-book.module.css';

const BAR_GAP_PX = 2;

/**
 * One side, the best price next to the middle. What is seen are columns of text, a line for each row, and one shape
 * with all bars, so that an update writes and lays out three texts instead of dozens of cells. What is clicked and
 * read out are the rows below them.
 */
export const BookSide = memo(function BookSide(props: BookSideProps) {
  return (
    <div className={classes.side} data-side={props.side} style={{ lineHeight: `${props.rowPx}px` }}>
      <BookRows {...props} />
      <Columns {...props} />
    </div>
  );
});

function Columns({ symbol, side, rows, rowPx, grouping, own, priceDigits, amountDigits }: BookSideProps) {
  const locale = useLocale();
  const box = useRef<HTMLDivElement>(null);
  const bars = useRef<SVGSVGElement>(null);
  const marks = useRef<HTMLPreElement>(null);
  const prices = useRef<HTMLPreElement>(null);
  const amounts = useRef<HTMLPreElement>(null);
  const totals = useRef<HTMLPreElement>(null);

  useLayoutEffect(
    () =>
      followDepth(symbol, { rows, grouping }, ({ [side]: best }) => {
        const levels = side === 'asks' ? best.toReversed() : best;
        if (box.current !== null) box.current.style.height = `${levels.length * rowPx}px`;
        if (bars.current !== null) writeBars(bars.current, levels, rowPx, BAR_GAP_PX);
        writeLines(marks.current, levels, ({ price }) => (own.has(price) ? '•' : ''));
        writeLines(prices.current, levels, ({ price }) => formatPrice(price, locale, priceDigits));
        writeLines(amounts.current, levels, ({ amount }) => formatNarrow(amount, locale, amountDigits));
        writeLines(totals.current, levels, ({ total }) => formatNarrow(total, locale, amountDigits));
      }),
    [symbol, side, rows, rowPx, grouping, own, priceDigits, amountDigits, locale],
  );

  return (
    <div ref={box} className={classes.columns} aria-hidden="true">
      <WrittenBars ref={bars} side={side} />
      {own.size > 0 && <pre ref={marks} className={classes.own} />}
      <pre ref={prices} className={classes.price} />
      <pre ref={amounts} />
      <pre ref={totals} />
    </div>
  );
}
