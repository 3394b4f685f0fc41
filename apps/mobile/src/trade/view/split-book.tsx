import { formatDecimal, formatNarrow, formatPrice } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import type { BookSide, DepthRow } from '@exchange/web-kit/market/book.ts';
import { BookColumns, type BookColumn } from '@exchange/web-kit/market/book-columns.tsx';
import { useBookState, useThrottledDepth, type DepthView } from '@exchange/web-kit/market/live.ts';
import { useOwnAmounts } from '@exchange/web-kit/spot/own-amounts.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { EmptyState, SkeletonRows } from '@exchange/web-kit/ui/parts.tsx';
import { useMemo, useState } from 'react';
import css from './pair-view.module.css';
import { scaledPx } from '@exchange/web-kit/theme/text-size.ts';

const FEW_ROWS: DepthView = { rows: 15, grouping: undefined };
const MANY_ROWS: DepthView = { rows: 50, grouping: undefined };
const AMOUNT_DIGITS = 5;
const LEVEL_PX = scaledPx(26);

/**
 * Order book whose rows cannot be tapped, with bids on the left and asks on the right; the best prices of both sides
 * are in the middle.
 */
export function SplitBook({ pair }: { pair: MarketPair }) {
  const t = useWords('trade');
  const [rowCount, setRowCount] = useState(FEW_ROWS);
  const otherCount = rowCount === FEW_ROWS ? MANY_ROWS : FEW_ROWS;
  const userAmounts = useOwnAmounts(pair, undefined);
  const state = useBookState(pair.symbol);
  if (state === 'unknown') return <SkeletonRows rows={10} height={14} />;
  if (state === 'empty') return <EmptyState text={t('bookEmpty')} />;
  return (
    <>
      <div data-live className={css.split} role="group" aria-label={t('book')}>
        <Half side="bids" label={t('bids')} pair={pair} shown={rowCount} own={userAmounts.bids} />
        <Half side="asks" label={t('asks')} pair={pair} shown={rowCount} own={userAmounts.asks} />
      </div>
      <button type="button" className={css.levelsShown} onClick={() => setRowCount(otherCount)}>
        {t('levelsShown', { count: otherCount.rows })}
      </button>
    </>
  );
}

interface HalfProps {
  side: BookSide;
  label: string;
  pair: MarketPair;
  shown: DepthView;
  /**
   * Unfilled amounts of the user's open orders, in the base coin, in the price levels of one side, by price
   * of the level.
   */
  own: ReadonlyMap<string, string>;
}

function Half({ side, label, pair, shown, own }: HalfProps) {
  const t = useWords('trade');
  return (
    <div className={css.half} data-side={side}>
      <div className={css.halfHead} aria-hidden="true">
        <span>{t('amountField', { coin: pair.base })}</span>
        <span>{label}</span>
      </div>
      <Levels side={side} pair={pair} shown={shown} own={own} />
      <SpokenLevels side={side} label={label} pair={pair} shown={shown} own={own} />
    </div>
  );
}

/**
 * The visible price levels of one side of the order book. Every row has its space also while it is empty, so that a
 * book with few levels does not move the content below.
 */
function Levels({ side, shown, own, pair }: Omit<HalfProps, 'label'>) {
  const { symbol, priceDigits, amountDigits } = pair;
  const locale = useLocale();
  const columns = useMemo((): readonly BookColumn[] => {
    const digits = Math.min(amountDigits, AMOUNT_DIGITS);
    return [
      { textOf: ({ amount }) => formatNarrow(amount, locale, digits) },
      ...(own.size > 0
        ? [{ className: css.levelOwn, textOf: ({ price }: DepthRow) => (own.has(price) ? '•' : '') }]
        : []),
      { className: css.levelPrice, textOf: ({ price }) => formatPrice(price, locale, priceDigits) },
    ];
  }, [own, priceDigits, amountDigits, locale]);
  return (
    <div style={{ height: shown.rows * LEVEL_PX }}>
      <BookColumns
        symbol={symbol}
        side={side}
        columns={columns}
        {...shown}
        rowPx={LEVEL_PX}
        from={side === 'bids' ? 'right' : 'left'}
        className={css.levels}
      />
    </div>
  );
}

/** The levels of one side of the order book as text for screen readers, updated at most once a second. */
function SpokenLevels({ side, label, pair, shown, own }: HalfProps) {
  const t = useWords('trade');
  const tBook = useWords('mobile-trade');
  const locale = useLocale();
  const rows = useThrottledDepth(pair.symbol, shown)[side];
  return (
    <ol className="visually-hidden" aria-label={label}>
      {rows.map(({ price, amount }, place) => (
        <li key={place}>
          {formatPrice(price, locale, pair.priceDigits)}, {t('amount')}{' '}
          {formatPrice(amount, locale, pair.amountDigits)}
          {own.has(price) && `. ${tBook('bookOwn', { amount: formatDecimal(own.get(price) ?? '', locale) })}`}
        </li>
      ))}
    </ol>
  );
}
