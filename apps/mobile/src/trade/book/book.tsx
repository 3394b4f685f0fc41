import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { digitsOf } from '@exchange/web-kit/market/book.ts';
import { useGroupings } from '@exchange/web-kit/market/use-groupings.ts';
import { IndexPrice, LastPrice } from '@exchange/web-kit/market/live-figures.tsx';
import { useBookRefused, useBookState } from '@exchange/web-kit/market/live.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { TopicRefused } from '@exchange/web-kit/market/topic-refused.tsx';
import { Select } from '@exchange/web-kit/ui/choice.tsx';
import { ArrowUpDown } from 'lucide-react';
import { memo, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { BookSide, ROW_PX, SideSkeleton } from './book-side.tsx';
import { fittingRows, useBookFigure, useBookSides, type BookSides } from './book-view.ts';
import css from './book.module.css';

/** As `.middle` is drawn. */
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
    ...{ figure, onPrice },
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
              {sides === 'bids' ? null : <Side {...shape} side="asks" />}
              <Middle pair={pair} />
              {sides === 'asks' ? null : <Side {...shape} side="bids" />}
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
