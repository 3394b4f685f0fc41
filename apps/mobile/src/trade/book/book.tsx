import { formatNarrow, formatPrice } from '@exchange/web-kit/format/format.ts';
import { Price } from '@exchange/web-kit/format/numbers.tsx';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { digitsOf, groupingsOf } from '@exchange/web-kit/market/book-grouping.ts';
import type { BookSide, DepthRow } from '@exchange/web-kit/market/book.ts';
import { DepthBars } from '@exchange/web-kit/market/depth-bars.tsx';
import { useDepth, useIndexPrice, useLastPrice, useTickerPart } from '@exchange/web-kit/market/live.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { Select } from '@exchange/web-kit/ui/choice.tsx';
import { Skeleton } from '@exchange/web-kit/ui/parts.tsx';
import { memo, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { fittingRows, useBookSides, type BookSides } from './book-view.ts';
import css from './book.module.css';

/** As `.row` and `.middle` are drawn. */
const ROW_PX = 24;
const MIDDLE_PX = 52;
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
  const { sides, showNext } = useBookSides();
  const body = useRef<HTMLDivElement>(null);
  const rows = useRows(body, sides);
  const last = useLastPrice(pair.symbol);
  const groupings = groupingsOf(pair.priceDigits, last);
  const [chosen, setChosen] = useState<string>();
  const step = chosen !== undefined && groupings.includes(chosen) ? chosen : (groupings[0] ?? '1');
  const grouping = step === groupings[0] ? undefined : step;
  const { bids, asks, isKnown } = useDepth(pair.symbol, { rows, grouping });
  const shape = { rows, isKnown, pair, onPrice, priceDigits: Math.min(pair.priceDigits, digitsOf(step)) };
  return (
    <section className={css.book} aria-label={t('book')}>
      <div className={css.inner}>
        <div className={css.head}>
          <span>
            {t('price')}
            <br />({pair.quote})
          </span>
          <span>
            {t('amount')}
            <br />({pair.base})
          </span>
        </div>
        <div ref={body} className={css.body}>
          {sides === 'bids' ? null : <Side {...shape} levels={asks.toReversed()} side="asks" />}
          <Middle pair={pair} />
          {sides === 'asks' ? null : <Side {...shape} levels={bids} side="bids" />}
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

interface SideProps extends Pick<RowProps, 'pair' | 'priceDigits' | 'onPrice'> {
  side: BookSide;
  levels: readonly DepthRow[];
  rows: number;
  isKnown: boolean;
}

function Side({ side, levels, rows, isKnown, ...shape }: SideProps) {
  const missing = Array.from({ length: rows - levels.length }, (_, row) => (
    <div key={`empty-${row}`} className={css.row}>
      {isKnown ? null : <Skeleton height={12} />}
    </div>
  ));
  return (
    <div>
      {side === 'asks' ? missing : null}
      <div className={css.levels} data-side={side}>
        <DepthBars side={side} rows={levels} rowPx={ROW_PX} />
        {levels.map(({ price, amount }, place) => (
          <Row key={place} {...shape} price={price} amount={amount} />
        ))}
      </div>
      {side === 'bids' ? missing : null}
    </div>
  );
}

interface RowProps extends Pick<DepthRow, 'price' | 'amount'> {
  pair: MarketPair;
  priceDigits: number;
  onPrice: ((price: string) => void) | undefined;
}

/** A row is its place, not its price: an update then changes texts and moves nothing. */
const Row = memo(function Row({ price, amount, pair, priceDigits, onPrice }: RowProps) {
  const t = useWords('trade');
  const locale = useLocale();
  return (
    <button
      type="button"
      className={css.row}
      disabled={onPrice === undefined}
      aria-label={`${t('takePrice', { price })}, ${t('amount')} ${amount}`}
      onClick={() => onPrice?.(price)}
    >
      <span className={css.rowPrice}>{formatPrice(price, locale, priceDigits)}</span>
      <span>{formatNarrow(amount, locale, Math.min(pair.amountDigits, AMOUNT_DIGITS))}</span>
    </button>
  );
});

function Middle({ pair }: { pair: MarketPair }) {
  const t = useWords('trade');
  const market = useWords('market');
  const last = useTickerPart(pair.symbol, (ticker) => ticker?.last);
  const direction = useTickerPart(pair.symbol, (ticker) => ticker?.direction);
  const index = useIndexPrice(pair.symbol);
  return (
    <div className={css.middle}>
      <span className={css.last}>
        <Price value={last} digits={pair.priceDigits} direction={direction} />
        <span className={css.arrow} aria-label={t(direction === 'down' ? 'lastDown' : 'lastUp')} role="img">
          {direction === undefined || direction === 'none' ? '' : direction === 'up' ? '▲' : '▼'}
        </span>
      </span>
      <span className={css.index}>
        {market('indexPrice')} <Price value={index} digits={pair.priceDigits} />
      </span>
    </div>
  );
}
