import { Decimal } from '@exchange/core/decimal.ts';
import { formatDecimal, formatNarrow, formatPercent, formatPrice } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { type BookColumn, BookColumns } from '@exchange/web-kit/market/book-columns.tsx';
import { type DepthRow, digitsOf, type BookSide as Side, sweepTo } from '@exchange/web-kit/market/book.ts';
import { LastPrice } from '@exchange/web-kit/market/live-figures.tsx';
import {
  type DepthView,
  drawnPriceAt,
  useDrawnBestPrices,
  useBookRefused,
  useBookState,
  useThrottledDepth,
  useLevels,
} from '@exchange/web-kit/market/live.ts';
import { useOwnAmounts } from '@exchange/web-kit/spot/own-amounts.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { usePair } from '@exchange/web-kit/market/queries.ts';
import { TopicRefused } from '@exchange/web-kit/market/topic-refused.tsx';
import { useGroupings } from '@exchange/web-kit/market/use-groupings.ts';
import { EmptyState, SkeletonRows } from '@exchange/web-kit/ui/parts.tsx';
import { scaledPx } from '@exchange/web-kit/theme/text-size.ts';
import { type KeyboardEvent, memo, useId, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { BOOK_SIDES, type BookViewControl, MIN_ROW_PX, stepOf, useFittingRows } from './book-view.ts';
import classes from './order-book.module.css';

const COMPACT_ROWS = 5;

interface OrderBookProps {
  readonly pair: MarketPair;
  readonly view: BookViewControl;
  /** Called with the price of a clicked order book row. */
  readonly onTake: (price: string) => void;
}

/**
 * The live order book: depth bars, grouping by price step, both sides or one, five rows per side or as many
 * as fit (at most 50), and markers of the user's orders.
 */
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
  const userAmounts = useOwnAmounts(pair, grouping);
  const shape = {
    symbol: pair.symbol,
    rows,
    rowPx: isCompact ? MIN_ROW_PX : fitting.rowPx,
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
        onGrouping={(step) => view.setStep(pair.symbol, step)}
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
            {sides !== 'bids' && <BookSide side="asks" own={userAmounts.asks} {...shape} />}
            <Middle pair={pair} />
            {sides !== 'asks' && <BookSide side="bids" own={userAmounts.bids} {...shape} />}
          </div>
        )}
      </div>
    </section>
  );
}

/** The row between the asks and the bids of the order book: the last price and the spread. */
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

interface BookControlsProps {
  readonly view: BookViewControl;
  readonly grouping: string;
  readonly groupings: readonly string[];
  readonly onGrouping: (grouping: string) => void;
}

/** Controls of the order book: which sides are visible, whether it has only five rows per side, and the price step. */
function BookControls({ view, grouping, groupings, onGrouping }: BookControlsProps) {
  const t = useWords('trade');
  const tDesk = useWords('desktop-trade');
  return (
    <div className={classes.controls}>
      <h2 className="visually-hidden">{t('book')}</h2>
      <div className={classes.views} role="group" aria-label={t('book')}>
        {BOOK_SIDES.map((sides) => (
          <button
            key={sides}
            type="button"
            aria-label={t(sides)}
            title={t(sides)}
            aria-pressed={view.sides === sides}
            onClick={() => view.showSides(sides)}
          >
            <span className={classes.glyph} data-sides={sides} aria-hidden="true" />
          </button>
        ))}
        <button
          type="button"
          className={classes.compact}
          aria-pressed={view.isCompact}
          onClick={() => view.setCompact(!view.isCompact)}
        >
          {tDesk('book.compact')}
        </button>
      </div>
      <select
        className={classes.grouping}
        aria-label={t('grouping')}
        value={grouping}
        onChange={(event) => onGrouping(event.target.value)}
      >
        {groupings.map((step) => (
          <option key={step} value={step}>
            {step}
          </option>
        ))}
      </select>
    </div>
  );
}

/**
 * Difference between the best ask and the best bid, in the quote coin and as a fraction of the best ask;
 * hidden while the book has no bid or no ask.
 */
export const Spread = memo(function Spread({ pair }: { readonly pair: MarketPair }) {
  const t = useWords('trade');
  const locale = useLocale();
  const { bids, asks } = useDrawnBestPrices(pair.symbol);
  const spread = bids === undefined || asks === undefined ? undefined : spreadOf(bids, asks);
  return (
    <span className={classes.spread} title={t('spread')} hidden={spread === undefined}>
      <span className="visually-hidden">{t('spread')}</span>
      {spread !== undefined && (
        <>
          <span>{formatPrice(spread.gap, locale, pair.priceDigits)}</span>
          <span>{formatPercent(spread.share, locale, { digits: 3 })}</span>
        </>
      )}
    </span>
  );
});

function spreadOf(bid: string, ask: string): { readonly gap: string; readonly share: string } {
  const best = Decimal.parse(ask);
  const gap = best.minus(Decimal.parse(bid));
  return { gap: gap.toString(), share: gap.over(best, 'down', 8).toString() };
}

const BAR_GAP_PX = 2;

/**
 * One side of the order book; its best price is next to the middle. The visible text is rendered as columns;
 * transparent rows that cover the columns receive the clicks, and screen readers read these rows.
 */
export const BookSide = memo(function BookSide(props: BookSideProps) {
  const tDesk = useWords('desktop-trade');
  const t = useWords('trade');
  const [pointed, setPointed] = useState<PointedRow>();
  const summaryId = useId();
  const { symbol, side, priceDigits } = props;
  return (
    <div
      className={classes.side}
      data-side={side}
      role="group"
      aria-label={tDesk('book.rows', { side: t(side) })}
      onMouseLeave={() => setPointed(undefined)}
      onBlur={() => setPointed(undefined)}
    >
      <BookRows {...props} onPoint={setPointed} summaryId={pointed === undefined ? undefined : summaryId} />
      <Columns {...props} />
      {pointed !== undefined && (
        <RowSummary
          id={summaryId}
          symbol={symbol}
          side={side}
          priceDigits={priceDigits}
          amountDigits={props.amountDigits}
          row={pointed}
        />
      )}
    </div>
  );
});

/** The order book row that is under the pointer or has the focus. */
interface PointedRow {
  readonly price: string;
  /** Position of the row's left side: pixels from the left edge of the window. */
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** The DOM document that contains the row; in a separate window of the trading desk it is not that of the page. */
  readonly document: Document;
}

interface RowSummaryProps {
  readonly id: string;
  readonly symbol: string;
  readonly side: Side;
  readonly priceDigits: number;
  readonly amountDigits: number;
  readonly row: PointedRow;
}

/**
 * Tooltip of an order book row: the estimated average price, total amount (base coin), total value (quote
 * coin) and slippage of a market order that fills all levels from the best price to this row, recomputed when
 * the book changes.
 */
function RowSummary({ id, symbol, side, priceDigits, amountDigits, row }: RowSummaryProps) {
  const t = useWords('desktop-trade');
  const locale = useLocale();
  const pair = usePair(symbol).data;
  const levels = useLevels(symbol, side);
  const sweep = sweepTo(levels, side, Decimal.parse(row.price));
  if (sweep === undefined) return null;
  const facts = [
    [t('book.average'), `≈ ${formatPrice(sweep.average.toString(), locale, priceDigits)}`],
    [t('book.sum', { coin: pair?.base ?? '' }), formatPrice(sweep.amount.toString(), locale, amountDigits)],
    [t('book.sum', { coin: pair?.quote ?? '' }), formatPrice(sweep.total.toString(), locale, 2)],
    [t('book.slippage'), formatPercent(sweep.slippage.toString(), locale, { digits: 4 })],
  ] as const;
  return createPortal(
    <div id={id} role="tooltip" className={classes.summary} {...placeOf(row)}>
      <b>{t('book.upTo')}</b>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>,
    row.document.body,
  );
}

/** Width of the tooltip with a row's estimate plus its distance from the row, in pixels. */
const SUMMARY_PX = scaledPx(216) + 8;

/**
 * Returns the position of the tooltip with a row's estimate: left of the row if there is room, otherwise
 * right of it, or below it in a narrow window.
 */
function placeOf({ left, right, top, bottom, document: { defaultView } }: PointedRow) {
  if (left >= SUMMARY_PX) return { 'data-place': 'left', style: { left, top } };
  const room = (defaultView?.innerWidth ?? 0) - right;
  return room >= SUMMARY_PX
    ? { 'data-place': 'right', style: { left: right, top } }
    : { 'data-place': 'below', style: { left: 0, top: bottom } };
}

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
      symbol={symbol}
      side={side}
      rows={rows}
      grouping={grouping}
      rowPx={rowPx}
      columns={columns}
      gapPx={BAR_GAP_PX}
      isStacked
      className={classes.columns}
    />
  );
}

interface BookSideProps extends DepthView {
  readonly symbol: string;
  readonly side: Side;
  /**
   * Unfilled amounts of the user's open orders, in the base coin, in the rows of the order book, by price of
   * the row.
   */
  readonly own: ReadonlyMap<string, string>;
  readonly rowPx: number;
  readonly priceDigits: number;
  readonly amountDigits: number;
  /** Called with the price of a clicked order book row. */
  readonly onTake: (price: string) => void;
}

interface BookRowsProps extends BookSideProps {
  /**
   * Called with the order book row that is now under the pointer or has the focus; with undefined when there is none.
   */
  readonly onPoint: (row: PointedRow | undefined) => void;
  /**
   * Id of the tooltip that describes the order book row under the pointer or with the focus; undefined when there is
   * none.
   */
  readonly summaryId: string | undefined;
}

/**
 * Transparent rows of one side of the order book, each a button. The Tab key reaches only one of them, the arrow keys
 * move the focus between them. A button stands for the position of a row and not for a price, so that it never moves
 * when prices change. Its label for screen readers is updated at most once a second; a click or Enter uses the price
 * that is displayed at that moment.
 */
const BookRows = memo(function BookRows(props: BookRowsProps) {
  const { symbol, side, rows, grouping, own, rowPx, priceDigits, amountDigits, onTake } = props;
  const tDesk = useWords('desktop-trade');
  const locale = useLocale();
  const [current, setCurrent] = useState(0);
  const levels = useThrottledDepth(symbol, { rows, grouping })[side];
  const drawnPrice = (place: number) => drawnPriceAt(symbol, { rows, grouping }, side, place);

  const pickPlace = (place: number): void => {
    const price = drawnPrice(place);
    if (price !== undefined) onTake(price);
  };
  const reportRow = (element: HTMLElement, place: number): void => {
    const price = drawnPrice(place);
    const { left, right, top, bottom } = element.getBoundingClientRect();
    if (price === undefined) props.onPoint(undefined);
    else props.onPoint({ price, left, right, top, bottom, document: element.ownerDocument });
  };
  const step = (event: KeyboardEvent<HTMLElement>, place: number): void => {
    const target = nextPlace(event.key, side, place, levels.length - 1);
    if (target === undefined) return;
    event.preventDefault();
    setCurrent(target);
    const row = event.currentTarget.parentElement?.querySelectorAll<HTMLElement>('button')[target];
    row?.focus();
  };
  // When the row with the focus has disappeared, the last remaining row becomes focusable.
  const focusable = Math.min(current, levels.length - 1);
  return levels.map((row, place) => {
    const price = formatPrice(row.price, locale, priceDigits);
    const amount = formatPrice(row.amount, locale, amountDigits);
    const label = tDesk(side === 'asks' ? 'book.takeAsk' : 'book.takeBid', { price, amount });
    const userAmount = own.get(row.price);
    const title =
      userAmount === undefined ? undefined : tDesk('book.own', { amount: formatDecimal(userAmount, locale) });
    return (
      <button
        key={place}
        type="button"
        className={classes.row}
        tabIndex={place === focusable ? 0 : -1}
        aria-label={title === undefined ? label : `${label}. ${title}`}
        aria-describedby={place === focusable ? props.summaryId : undefined}
        title={title}
        style={{ height: rowPx }}
        onClick={() => pickPlace(place)}
        onKeyDown={(event) => step(event, place)}
        onMouseEnter={({ currentTarget }) => reportRow(currentTarget, place)}
        onFocus={({ currentTarget }) => {
          setCurrent(place);
          reportRow(currentTarget, place);
        }}
      />
    );
  });
});

/**
 * Returns the position to which an arrow key, Home or End moves the focus, limited to the rows that exist;
 * undefined for other keys. Position 0 is the best price, which is at the top for bids and at the bottom for
 * asks; Home moves to it, End to the last row.
 */
function nextPlace(key: string, side: Side, place: number, lastPlace: number): number | undefined {
  const down = side === 'bids' ? 1 : -1;
  const aims: Readonly<Record<string, number>> = {
    ArrowDown: place + down,
    ArrowUp: place - down,
    Home: 0,
    End: lastPlace,
  };
  const aim = aims[key];
  return aim === undefined ? undefined : Math.max(0, Math.min(lastPlace, aim));
}
