import { formatNarrow, formatPrice } from '@exchange/web-kit/format/format.ts';
import { useLocale } from '@exchange/web-kit/i18n/words.ts';
import type { DepthRow } from '@exchange/web-kit/market/book.ts';
import { DepthBars } from '@exchange/web-kit/market/depth-bars.tsx';
import { useDepth } from '@exchange/web-kit/market/live.ts';
import { memo } from 'react';
import { BookRows, type BookSideProps } from './book-rows.tsx';
import classes from './order-book.module.css';

const BAR_GAP_PX = 2;

/**
 * One side, drawn when its turn comes, the best price next to the middle. What is seen are columns of text, a
 * line for each row, and one shape with all bars, so that an update lays out three texts instead of dozens of
 * cells. What is clicked and read out are the rows below them.
 */
export const BookSide = memo(function BookSide(props: BookSideProps) {
  const { symbol, side, rows, rowPx, grouping, own, priceDigits, amountDigits } = props;
  const locale = useLocale();
  const best = useDepth(symbol, { rows, grouping })[side];
  const levels = side === 'asks' ? best.toReversed() : best;
  const column = (text: (row: DepthRow) => string) => levels.map(text).join('\n');
  return (
    <div className={classes.side} data-side={side} style={{ lineHeight: `${rowPx}px` }}>
      <BookRows {...props} />
      <div className={classes.columns} style={{ height: levels.length * rowPx }} aria-hidden="true">
        <DepthBars side={side} rows={levels} rowPx={rowPx} gapPx={BAR_GAP_PX} />
        {own.size > 0 && (
          <pre className={classes.own}>{column(({ price }) => (own.has(price) ? '•' : ''))}</pre>
        )}
        <pre className={classes.price}>{column(({ price }) => formatPrice(price, locale, priceDigits))}</pre>
        <pre>{column(({ amount }) => formatNarrow(amount, locale, amountDigits))}</pre>
        <pre>{column(({ total }) => formatNarrow(total, locale, amountDigits))}</pre>
      </div>
    </div>
  );
});
