import { formatNarrow, formatPrice } from '@exchange/web-kit/format/format.ts';
import { useLocale } from '@exchange/web-kit/i18n/words.ts';
import type { DepthRow } from '@exchange/web-kit/market/book.ts';
import { BookColumns, type BookColumn } from '@exchange/web-kit/market/book-columns.tsx';
import { memo, useMemo } from 'react';
import { BookRows, type BookSideProps } from './book-rows.tsx';
import classes from './order-book.module.css';

const BAR_GAP_PX = 2;

/** One side, the best price next to the middle: columns, which are seen, over rows, which are clicked and read out. */
export const BookSide = memo(function BookSide(props: BookSideProps) {
  return (
    <div className={classes.side} data-side={props.side}>
      <BookRows {...props} />
      <Columns {...props} />
    </div>
  );
});

function Columns(props: BookSideProps) {
  const { symbol, side, rows, grouping, rowPx, own, priceDigits, amountDigits } = props;
  const locale = useLocale();
  const columns = useMemo((): readonly BookColumn[] => {
    const amountText = (amount: string) => formatNarrow(amount, locale, amountDigits);
    const mark = { className: classes.own, textOf: ({ price }: DepthRow) => (own.has(price) ? '•' : '') };
    return [
      ...(own.size > 0 ? [mark] : []),
      { className: classes.price, textOf: ({ price }) => formatPrice(price, locale, priceDigits) },
      { textOf: ({ amount }) => amountText(amount) },
      { textOf: ({ total }) => amountText(total) },
    ];
  }, [own, priceDigits, amountDigits, locale]);
  return (
    <BookColumns
      {...{ symbol, side, rows, grouping, rowPx, columns }}
      gapPx={BAR_GAP_PX}
      isStacked
      className={classes.columns}
    />
  );
}
