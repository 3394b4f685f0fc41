import { formatDecimal, formatNarrow, formatPrice } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { type BookColumn, BookColumns } from '@exchange/web-kit/market/book-columns.tsx';
import { digitsOf, type BookSide as Side } from '@exchange/web-kit/market/book.ts';
import { IndexPrice, LastPrice } from '@exchange/web-kit/market/live-figures.tsx';
import {
  type DepthShown,
  priceDrawn,
  useBookRefused,
  useBookState,
  useCalmDepth,
} from '@exchange/web-kit/market/live.ts';
import { useOwnAmounts } from '@exchange/web-kit/spot/own-amounts.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { TopicRefused } from '@exchange/web-kit/market/topic-refused.tsx';
import { useGroupings } from '@exchange/web-kit/market/use-groupings.ts';
import { Select } from '@exchange/web-kit/ui/choice.tsx';
import { Skeleton } from '@exchange/web-kit/ui/parts.tsx';
import { ArrowUpDown } from 'lucide-react';
import { memo, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type BookFigure, type BookSides, fittingRows, useBookFigure, useBookSides } from './book-view.ts';
import css from './book.module.css';
import { scaledPx } from '@exchange/web-kit/theme/text-size.ts';

/** As `.middle` is drawn. */
const MIDDLE_PX = scaledPx(52);
const LEAST_ROWS = 5;
const AMOUNT_DIGITS = 5;

interface BookProps {
  pair: MarketPair;
  /** Takes the price of a row; undefined where a price means nothing to the order. */
  onPrice: ((price: string) => void) | undefined;
}

/** The book beside the ticket, as high as it: a tap takes a row's price; grouping and sides at its foot. */
export const Book = memo(function Book({ pair, onPrice }: BookProps) {
  const t = useWords('trade');
  const tBook = useWords('mobile-trade');
  const { sides, showNext } = useBookSides();
  const { figure, showOther } = useBookFigure();
  const figureName = figure === 'amount' ? t('amount') : tBook('cumulative');
  const body = useRef<HTMLDivElement>(null);
  const rows = useRows(body, sides);
  const groupings = useGroupings(pair);
  const [chosen, setChosen] = useState<string>();
  const step = chosen !== undefined && groupings.includes(chosen) ? chosen : (groupings[0] ?? '1');
  const grouping = step === groupings[0] ? undefined : step;
  const own = useOwnAmounts(pair, grouping);
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
              {sides === 'bids' ? null : <Side {...shape} side="asks" own={own.asks} />}
              <Middle pair={pair} />
              {sides === 'asks' ? null : <Side {...shape} side="bids" own={own.bids} />}
            </>
          )}
          {state === 'empty' ? <p className={css.none}>{t('bookEmpty')}</p> : null}
        </div>
        <div className={css.foot}>
          <Select
            label={t('grouping')}
            className={css.grouping}
            value={step}
            onChange={setChosen}
            options={groupings.map((value) => ({ value, label: value }))}
          />
          <SidesButton sides={sides} onPress={showNext} />
        </div>
      </div>
    </section>
  );
});

/** As many rows as the height leaves room for; the height is the ticket's. */
function useRows(body: RefObject<HTMLElement | null>, sides: BookSides): number {
  const [heightPx, setHeight] = useState(0);
  useLayoutEffect(() => {
    const element = body.current;
    if (element === null) return undefined;
    const measure = () => setHeight(element.clientHeight);
    // Before the first picture, so that the book does not jump from few rows to many.
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [body]);
  return fittingRows(heightPx - MIDDLE_PX, ROW_PX, sides, LEAST_ROWS);
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

/** The last price and the index price. */
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

interface BookSideProps extends DepthShown {
  symbol: string;
  side: Side;
  priceDigits: number;
  amountDigits: number;
  figure: BookFigure;
  /** One's own part of a row, by its price. */
  own: ReadonlyMap<string, string>;
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
function SideSkeleton({ rows }: Pick<BookSideProps, 'rows'>) {
  return Array.from({ length: rows }, (_, row) => (
    <div key={row} className={css.unknown}>
      <Skeleton height={12} />
    </div>
  ));
}

/** A row is its place, not its price: it never moves. Its words follow the book once a second. */
const Rows = memo(function Rows({ symbol, side, rows, grouping, figure, own, onPrice }: BookSideProps) {
  const locale = useLocale();
  const t = useWords('trade');
  const tBook = useWords('mobile-trade');
  const name = figure === 'amount' ? t('amount') : tBook('cumulative');
  const levels = useCalmDepth(symbol, { rows, grouping })[side];
  const takePlace = (place: number): void => {
    const price = priceDrawn(symbol, { rows, grouping }, side, place);
    if (price !== undefined) onPrice?.(price);
  };
  return levels.map(({ price, [figure]: shown }, place) => {
    const mine = own.get(price);
    const about = `${t('takePrice', { price })}, ${name} ${shown}`;
    return (
      <button
        key={place}
        type="button"
        className={css.row}
        disabled={onPrice === undefined}
        aria-label={
          mine === undefined
            ? about
            : `${about}. ${tBook('bookOwn', { amount: formatDecimal(mine, locale) })}`
        }
        onClick={() => takePlace(place)}
      />
    );
  });
});

/** A dot in the rows that hold an own order. */
function markOf(own: ReadonlyMap<string, string>): BookColumn {
  return { className: css.own, textOf: ({ price }) => (own.has(price) ? '•' : '') };
}

function Columns(props: BookSideProps) {
  const { symbol, side, rows, grouping, figure, own, priceDigits, amountDigits } = props;
  const locale = useLocale();
  const columns = useMemo(
    (): readonly BookColumn[] => [
      { className: css.price, textOf: ({ price }) => formatPrice(price, locale, priceDigits) },
      ...(own.size > 0 ? [markOf(own)] : []),
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
