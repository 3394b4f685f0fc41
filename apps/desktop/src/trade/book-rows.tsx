import { formatDecimal, formatPrice } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import type { BookSide } from '@exchange/web-kit/market/book.ts';
import { priceDrawn, useCalmDepth, type DepthShown } from '@exchange/web-kit/market/live.ts';
import { memo } from 'react';
import classes from './order-book.module.css';

export interface BookSideProps extends DepthShown {
  readonly symbol: string;
  readonly side: BookSide;
  /** One's own part of a row, by its price. */
  readonly own: ReadonlyMap<string, string>;
  readonly rowPx: number;
  readonly priceDigits: number;
  readonly amountDigits: number;
  /** A click on a row takes its price. */
  readonly onTake: (price: string) => void;
}

/**
 * What one side is to the pointer and to a screen reader: a button for each row. A row is its place, not its
 * price, so it never moves; its words follow the book once a second, and a click takes the price that is drawn.
 */
export const BookRows = memo(function BookRows(props: BookSideProps) {
  const { symbol, side, rows, grouping, own, rowPx, priceDigits, amountDigits, onTake } = props;
  const tDesk = useWords('desktop-trade');
  const locale = useLocale();
  const levels = useCalmDepth(symbol, { rows, grouping })[side];

  const takePlace = (place: number): void => {
    const price = priceDrawn(symbol, { rows, grouping }, side, place);
    if (price !== undefined) onTake(price);
  };
  return levels.map((row, place) => {
    const price = formatPrice(row.price, locale, priceDigits);
    const amount = formatPrice(row.amount, locale, amountDigits);
    const about = tDesk(side === 'asks' ? 'book.takeAsk' : 'book.takeBid', { price, amount });
    const mine = own.get(row.price);
    const title = mine === undefined ? undefined : tDesk('book.own', { amount: formatDecimal(mine, locale) });
    return (
      <button
        key={place}
        type="button"
        className={classes.row}
        tabIndex={-1}
        aria-label={title === undefined ? about : `${about}. ${title}`}
        title={title}
        style={{ height: rowPx }}
        onClick={() => takePlace(place)}
      />
    );
  });
});
