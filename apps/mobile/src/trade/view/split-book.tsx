import { formatNarrow, formatPrice } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import type { BookSide } from '@exchange/web-kit/market/book.ts';
import { WrittenBars, writeBars } from '@exchange/web-kit/market/depth-bars.tsx';
import { followDepth, useBookState, useCalmDepth, type DepthShown } from '@exchange/web-kit/market/live.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { EmptyState, SkeletonRows } from '@exchange/web-kit/ui/parts.tsx';
import { writeLines } from '@exchange/web-kit/ui/written-text.ts';
import { useLayoutEffect, useRef } from 'react';
import css from './pair-view.module.css';

const SHOWN: DepthShown = { rows: 15, grouping: undefined };
const AMOUNT_DIGITS = 5;
const LEVEL_PX = 26;
/** Room for every row, so that a book of few rows moves nothing. */
const ROOM = { height: SHOWN.rows * LEVEL_PX, lineHeight: `${LEVEL_PX}px` };

/** The book side by side, to be read: bids on the left, asks on the right, their best prices in the middle. */
export function SplitBook({ pair }: { pair: MarketPair }) {
  const t = useWords('trade');
  const state = useBookState(pair.symbol);
  if (state === 'unknown') return <SkeletonRows rows={10} height={14} />;
  if (state === 'empty') return <EmptyState text={t('bookEmpty')} />;
  return (
    <div className={css.split} role="group" aria-label={t('book')}>
      <Half side="bids" label={t('bids')} pair={pair} />
      <Half side="asks" label={t('asks')} pair={pair} />
    </div>
  );
}

interface HalfProps {
  side: BookSide;
  label: string;
  pair: MarketPair;
}

function Half({ side, label, pair }: HalfProps) {
  const t = useWords('trade');
  return (
    <div className={css.half} data-side={side}>
      <div className={css.halfHead} aria-hidden="true">
        <span>{t('amountField', { coin: pair.base })}</span>
        <span>{label}</span>
      </div>
      <Levels side={side} pair={pair} />
      <SpokenLevels side={side} label={label} pair={pair} />
    </div>
  );
}

/** What is seen: two columns of text and one shape with all bars, written anew at each change of the book. */
function Levels({ side, pair: { symbol, priceDigits, amountDigits } }: Omit<HalfProps, 'label'>) {
  const locale = useLocale();
  const bars = useRef<SVGSVGElement>(null);
  const prices = useRef<HTMLPreElement>(null);
  const amounts = useRef<HTMLPreElement>(null);
  useLayoutEffect(
    () =>
      followDepth(symbol, SHOWN, ({ [side]: rows }) => {
        const digits = Math.min(amountDigits, AMOUNT_DIGITS);
        if (bars.current !== null) writeBars(bars.current, rows, LEVEL_PX, 0);
        writeLines(prices.current, rows, ({ price }) => formatPrice(price, locale, priceDigits));
        writeLines(amounts.current, rows, ({ amount }) => formatNarrow(amount, locale, digits));
      }),
    [symbol, side, priceDigits, amountDigits, locale],
  );
  return (
    <div className={css.levels} style={ROOM} aria-hidden="true">
      <WrittenBars ref={bars} side={side} from={side === 'bids' ? 'right' : 'left'} />
      <pre ref={amounts} />
      <pre ref={prices} className={css.levelPrice} />
    </div>
  );
}

/** What is read out; it follows the book once a second. */
function SpokenLevels({ side, label, pair }: HalfProps) {
  const t = useWords('trade');
  const locale = useLocale();
  const rows = useCalmDepth(pair.symbol, SHOWN)[side];
  return (
    <ol className="visually-hidden" aria-label={label}>
      {rows.map(({ price, amount }, place) => (
        <li key={place}>
          {formatPrice(price, locale, pair.priceDigits)}, {t('amount')}{' '}
          {formatPrice(amount, locale, pair.amountDigits)}
        </li>
      ))}
    </ol>
  );
}
