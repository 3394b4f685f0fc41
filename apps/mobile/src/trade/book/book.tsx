import { formatDecimal, formatNarrow, formatPrice } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { type BookColumn, BookColumns } from '@exchange/web-kit/market/book-columns.tsx';
import { digitsOf, type BookSide as Side } from '@exchange/web-kit/market/book.ts';
import { IndexPrice, LastPrice } from '@exchange/web-kit/market/live-figures.tsx';
import {
  type DepthView,
  drawnPriceAt,
  useBookRefused,
  useBookState,
  useThrottledDepth,
} from '@exchange/web-kit/market/live.ts';
import { useOwnAmounts } from '@exchange/web-kit/spot/own-amounts.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { TopicRefused } from '@exchange/web-kit/market/topic-refused.tsx';
import { useGroupings } from '@exchange/web-kit/market/use-groupings.ts';
import { Select } from '@exchange/web-kit/ui/choice.tsx';
import { Skeleton } from '@exchange/web-kit/ui/parts.tsx';
import { ArrowUpDown, ChevronDown } from 'lucide-react';
import { memo, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type BookFigure, type BookSides, fittingRows, useBookFigure, useBookSides } from './book-view.ts';
import css from './book.module.css';
import { scaledPx } from '@exchange/web-kit/theme/text-size.ts';

/** Height of the area between asks and bids in pixels, equal to that in the style sheet. */
const MIDDLE_PX = scaledPx(52);
const MIN_ROWS = 5;
const AMOUNT_DIGITS = 5;

interface BookProps {
  pair: MarketPair;
  /**
   * Called with the price of the order book row that the user taps; undefined when the order type has neither
   * a limit price nor a trigger price, so that a tap does nothing.
   */
  onPrice: ((price: string) => void) | undefined;
}

/**
 * The order book beside the ticket, as high as the ticket. A tap on a row copies its price into the ticket if
 * the order type has a limit price or a trigger price; below the book are the controls for grouping and
 * visible sides.
 */
export const Book = memo(function Book({ pair, onPrice }: BookProps) {
  const t = useWords('trade');
  const tBook = useWords('mobile-trade');
  const { sides, showNext } = useBookSides();
  const { figure, showOther } = useBookFigure();
  const figureName = figure === 'amount' ? t('amount') : tBook('cumulative');
  const body = useRef<HTMLDivElement>(null);
  const rows = useRows(body, sides);
  const groupings = useGroupings(pair);
  const [chosenStep, setChosenStep] = useState<string>();
  const step =
    chosenStep !== undefined && groupings.includes(chosenStep) ? chosenStep : (groupings[0] ?? '1');
  const grouping = step === groupings[0] ? undefined : step;
  const userAmounts = useOwnAmounts(pair, grouping);
  const state = useBookState(pair.symbol);
  const isKnown = state !== 'unknown';
  const refused = useBookRefused(pair.symbol);
  const Side = isKnown ? BookSide : SideSkeleton;
  const shape = {
    symbol: pair.symbol,
    rows,
    grouping,
    priceDigits: Math.min(pair.priceDigits, digitsOf(step)),
    amountDigits: Math.min(pair.amountDigits, AMOUNT_DIGITS),
    figure,
    onPrice,
  };
  return (
    <section className={css.book} aria-label={t('book')}>
      <div className={css.inner}>
        <div className={css.head}>
          <span>
            {t('price')}
            <br />({pair.quote})
          </span>
          <button
            type="button"
            className={css.figure}
            aria-label={`${figureName} (${pair.base}). ${tBook(figure === 'amount' ? 'showCumulative' : 'showAmount')}`}
            onClick={showOther}
          >
            {figureName} <ArrowUpDown size={10} aria-hidden="true" />
            <br />({pair.base})
          </button>
        </div>
        <div ref={body} className={css.body} data-live>
          {!isKnown && refused !== undefined ? (
            <TopicRefused topic={refused} />
          ) : (
            <>
              {sides === 'bids' ? null : <Side {...shape} side="asks" own={userAmounts.asks} />}
              <Middle pair={pair} />
              {sides === 'asks' ? null : <Side {...shape} side="bids" own={userAmounts.bids} />}
            </>
          )}
          {state === 'empty' ? <p className={css.none}>{t('bookEmpty')}</p> : null}
        </div>
        <div className={css.foot}>
          <div className={css.grouping}>
            <span aria-hidden="true">{step}</span>
            <ChevronDown size={12} aria-hidden="true" />
            <Select
              label={t('grouping')}
              className={css.steps}
              value={step}
              onChange={setChosenStep}
              options={groupings.map((value) => ({ value, label: value }))}
            />
          </div>
          <SidesButton sides={sides} onPress={showNext} />
        </div>
      </div>
    </section>
  );
});

/**
 * Hook that returns the number of order book rows per side that fit the measured height, which the ticket
 * beside the book determines; at least `MIN_ROWS`.
 */
function useRows(body: RefObject<HTMLElement | null>, sides: BookSides): number {
  const [heightPx, setHeightPx] = useState(0);
  useLayoutEffect(() => {
    const element = body.current;
    if (element === null) return undefined;
    const measure = () => setHeightPx(element.clientHeight);
    // The height is measured before the first paint, so that the number of rows does not jump.
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [body]);
  return fittingRows(heightPx - MIDDLE_PX, ROW_PX, sides, MIN_ROWS);
}

const SIDES_WORDS = { both: 'bookBoth', bids: 'bookBids', asks: 'bookAsks' } as const;

function SidesButton({ sides, onPress }: { sides: BookSides; onPress: () => void }) {
  const t = useWords('mobile-trade');
  return (
    <button
      type="button"
      className={css.sides}
      aria-label={`${t('bookView')}: ${t(SIDES_WORDS[sides])}`}
      onClick={onPress}
    >
      <span className={css.glyph} data-sides={sides} aria-hidden="true" />
    </button>
  );
}

/** The row between the asks and the bids of the order book: the last price and the index price. */
const Middle = memo(function Middle({ pair }: { pair: MarketPair }) {
  const t = useWords('market');
  return (
    <div className={css.middle}>
      <span className={css.last}>
        <LastPrice pair={pair} arrow />
      </span>
      <span className={css.index}>
        {t('indexPrice')} <IndexPrice pair={pair} />
      </span>
    </div>
  );
});

const ROW_PX = scaledPx(24);

interface BookSideProps extends DepthView {
  symbol: string;
  side: Side;
  priceDigits: number;
  amountDigits: number;
  figure: BookFigure;
  /**
   * Unfilled amounts of the user's open orders, in the base coin, in the rows of the order book, by price of
   * the row.
   */
  own: ReadonlyMap<string, string>;
  /**
   * Called with the price of the order book row that the user taps; undefined when the order type has neither
   * a limit price nor a trigger price, so that a tap does nothing.
   */
  onPrice: ((price: string) => void) | undefined;
}

/**
 * One side of the order book; its best price is next to the middle. The visible text is rendered as columns, and
 * transparent rows receive the taps and are read by screen readers.
 */
export const BookSide = memo(function BookSide(props: BookSideProps) {
  return (
    <div className={css.side} data-side={props.side} style={{ height: props.rows * ROW_PX }}>
      <Rows {...props} />
      <Columns {...props} />
    </div>
  );
});

/** Placeholder of one side of the order book, shown while the book is loading. */
function SideSkeleton({ rows }: Pick<BookSideProps, 'rows'>) {
  return Array.from({ length: rows }, (_, row) => (
    <div key={row} className={css.unknown}>
      <Skeleton height={12} />
    </div>
  ));
}

/**
 * Transparent rows of one side of the order book, which receive the taps. A row stands for a position in the list and
 * not for a price, so that it never moves when prices change; a tap uses the price that is displayed there at that
 * moment. Its label for screen readers is updated at most once a second.
 */
const Rows = memo(function Rows({ symbol, side, rows, grouping, figure, own, onPrice }: BookSideProps) {
  const locale = useLocale();
  const t = useWords('trade');
  const tBook = useWords('mobile-trade');
  const name = figure === 'amount' ? t('amount') : tBook('cumulative');
  const levels = useThrottledDepth(symbol, { rows, grouping })[side];
  const pickPlace = (place: number): void => {
    const price = drawnPriceAt(symbol, { rows, grouping }, side, place);
    if (price !== undefined) onPrice?.(price);
  };
  return levels.map(({ price, [figure]: shown }, place) => {
    const userAmount = own.get(price);
    const label = `${t('takePrice', { price })}, ${name} ${shown}`;
    return (
      <button
        key={place}
        type="button"
        className={css.row}
        disabled={onPrice === undefined}
        aria-label={
          userAmount === undefined
            ? label
            : `${label}. ${tBook('bookOwn', { amount: formatDecimal(userAmount, locale) })}`
        }
        onClick={() => pickPlace(place)}
      />
    );
  });
});

/** Returns a text column of the order book with a dot in each row that contains an open order of the user. */
function userOrderColumn(userAmounts: ReadonlyMap<string, string>): BookColumn {
  return { className: css.own, textOf: ({ price }) => (userAmounts.has(price) ? '•' : '') };
}

function Columns(props: BookSideProps) {
  const { symbol, side, rows, grouping, figure, own, priceDigits, amountDigits } = props;
  const locale = useLocale();
  const columns = useMemo(
    (): readonly BookColumn[] => [
      { className: css.price, textOf: ({ price }) => formatPrice(price, locale, priceDigits) },
      ...(own.size > 0 ? [userOrderColumn(own)] : []),
      { textOf: ({ [figure]: shown }) => formatNarrow(shown, locale, amountDigits) },
    ],
    [figure, own, priceDigits, amountDigits, locale],
  );
  return (
    <BookColumns
      symbol={symbol}
      side={side}
      rows={rows}
      grouping={grouping}
      columns={columns}
      rowPx={ROW_PX}
      isStacked
      className={css.columns}
    />
  );
}
