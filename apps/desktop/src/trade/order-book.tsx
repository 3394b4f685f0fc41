import { formatNarrow, formatPrice } from '@exchange/web-kit/format/format.ts';
import { Price } from '@exchange/web-kit/format/numbers.tsx';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import type { DepthRow } from '@exchange/web-kit/market/book.ts';
import { useDepth, useTickerPart } from '@exchange/web-kit/market/live.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { EmptyState, SkeletonRows } from '@exchange/web-kit/ui/parts.tsx';
import { useRef, useState } from 'react';
import { BookControls, type BookSides } from './book-controls.tsx';
import { digitsOf, groupingsOf } from './book-grouping.ts';
import classes from './order-book.module.css';
import { Spread } from './spread.tsx';
import { useFittingRows } from './use-fitting-rows.ts';

const FULL_ROWS = 20;
const COMPACT_ROWS = 5;

interface OrderBookProps {
  readonly pair: MarketPair;
  /** A click on a row takes its price, and its amount up to there. */
  readonly onTake: (price: string) => void;
}

/** The live book: depth bars, grouping by price step, both sides or one, 20 rows or 5. */
export function OrderBook({ pair, onTake }: OrderBookProps) {
  const t = useWords('trade');
  const last = useTickerPart(pair.symbol, (ticker) => ticker?.last);
  const direction = useTickerPart(pair.symbol, (ticker) => ticker?.direction);
  const [sides, setSides] = useState<BookSides>('both');
  const [isCompact, setCompact] = useState(false);
  const [grouping, setGrouping] = useState<string>();
  const groupings = groupingsOf(pair.priceDigits, last);
  const step = grouping !== undefined && groupings.includes(grouping) ? grouping : groupings[0]!;
  const box = useRef<HTMLDivElement>(null);
  const fitting = useFittingRows(box, sides === 'both' ? 2 : 1);
  const rows = Math.min(isCompact ? COMPACT_ROWS : FULL_ROWS, fitting);
  const depth = useDepth(pair.symbol, { rows, grouping: step === groupings[0] ? undefined : step });
  const digits = Math.min(pair.priceDigits, digitsOf(step));
  const shape = { priceDigits: digits, amountDigits: Math.min(pair.amountDigits, 5), onTake };

  return (
    <section className={classes.book} aria-label={t('book')} data-compact={isCompact || undefined}>
      <BookControls
        sides={sides}
        onSides={setSides}
        isCompact={isCompact}
        onCompact={setCompact}
        grouping={step}
        groupings={groupings}
        onGrouping={setGrouping}
      />
      <div className={classes.head} aria-hidden="true">
        <span>{t('priceField', { coin: pair.quote })}</span>
        <span>{t('amountField', { coin: pair.base })}</span>
        <span>{t('cumulative')}</span>
      </div>
      <div ref={box} className={classes.body}>
        {!depth.isKnown ? (
          <div className={classes.skeleton}>
            <SkeletonRows rows={isCompact ? 10 : 18} height={10} gap={10} />
          </div>
        ) : depth.asks.length + depth.bids.length === 0 ? (
          <EmptyState text={t('bookEmpty')} />
        ) : (
          <div className={classes.sides}>
            {sides !== 'bids' && <Side side="asks" rows={depth.asks} {...shape} />}
            <div className={classes.middle}>
              <span className={classes.last}>
                <Price value={last} digits={pair.priceDigits} direction={direction} />
                <span aria-hidden="true" className={classes.arrow} data-direction={direction}>
                  {direction === 'up' ? '↑' : direction === 'down' ? '↓' : ''}
                </span>
              </span>
              <Spread bid={depth.bids[0]?.price} ask={depth.asks[0]?.price} digits={pair.priceDigits} />
            </div>
            {sides !== 'asks' && <Side side="bids" rows={depth.bids} {...shape} />}
          </div>
        )}
      </div>
    </section>
  );
}

interface SideProps {
  readonly side: 'bids' | 'asks';
  readonly rows: readonly DepthRow[];
  readonly priceDigits: number;
  readonly amountDigits: number;
  readonly onTake: (price: string) => void;
}

/**
 * One side; asks stand on their head, so that the best price lies next to the middle. A row is its place, not
 * its price: an update then changes texts and moves nothing.
 */
function Side({ side, rows, priceDigits, amountDigits, onTake }: SideProps) {
  const tDesk = useWords('desktop-trade');
  const locale = useLocale();
  return (
    <div className={classes.side} data-side={side}>
      {rows.map((row, place) => {
        const price = formatPrice(row.price, locale, priceDigits);
        const amount = formatPrice(row.amount, locale, amountDigits);
        return (
          <button
            key={place}
            type="button"
            className={classes.row}
            tabIndex={-1}
            aria-label={tDesk(side === 'asks' ? 'book.takeAsk' : 'book.takeBid', { price, amount })}
            onClick={() => onTake(row.price)}
          >
            <i className={classes.bar} style={{ transform: `scaleX(${row.share})` }} />
            <span className={classes.price}>{price}</span>
            <span>{formatNarrow(row.amount, locale, amountDigits)}</span>
            <span>{formatNarrow(row.total, locale, amountDigits)}</span>
          </button>
        );
      })}
    </div>
  );
}
