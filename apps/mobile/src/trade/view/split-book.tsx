import { formatNarrow, formatPrice } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import type { BookSide, DepthRow } from '@exchange/web-kit/market/book.ts';
import { DepthBars } from '@exchange/web-kit/market/depth-bars.tsx';
import { useDepth } from '@exchange/web-kit/market/live.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { EmptyState, SkeletonRows } from '@exchange/web-kit/ui/parts.tsx';
import { memo } from 'react';
import css from './pair-view.module.css';

const ROWS = 15;
const AMOUNT_DIGITS = 5;
/** As `.level` is drawn. */
const LEVEL_PX = 26;

/** The book side by side, to be read: bids on the left, asks on the right, their best prices in the middle. */
export function SplitBook({ pair }: { pair: MarketPair }) {
  const t = useWords('trade');
  const { bids, asks, isKnown } = useDepth(pair.symbol, { rows: ROWS });
  if (!isKnown) return <SkeletonRows rows={10} height={14} />;
  if (bids.length === 0 && asks.length === 0) return <EmptyState text={t('bookEmpty')} />;
  return (
    <div className={css.split} role="group" aria-label={t('book')}>
      <Half rows={bids} side="bids" label={t('bids')} pair={pair} />
      <Half rows={asks} side="asks" label={t('asks')} pair={pair} />
    </div>
  );
}

interface HalfProps {
  rows: readonly DepthRow[];
  side: BookSide;
  label: string;
  pair: MarketPair;
}

function Half({ rows, side, label, pair }: HalfProps) {
  const t = useWords('trade');
  return (
    <div className={css.half} data-side={side}>
      <div className={css.halfHead} aria-hidden="true">
        <span>{t('amountField', { coin: pair.base })}</span>
        <span>{label}</span>
      </div>
      <div className={css.levels}>
        <DepthBars side={side} rows={rows} rowPx={LEVEL_PX} from={side === 'bids' ? 'right' : 'left'} />
        <ol aria-label={label}>
          {rows.map(({ price, amount }, place) => (
            <Level key={place} price={price} amount={amount} pair={pair} />
          ))}
        </ol>
      </div>
    </div>
  );
}

interface LevelProps extends Pick<DepthRow, 'price' | 'amount'> {
  pair: MarketPair;
}

/** A row is its place, not its price: an update then changes texts and moves nothing. */
const Level = memo(function Level({ price, amount, pair }: LevelProps) {
  const locale = useLocale();
  return (
    <li className={css.level}>
      <span>{formatNarrow(amount, locale, Math.min(pair.amountDigits, AMOUNT_DIGITS))}</span>
      <span className={css.levelPrice}>{formatPrice(price, locale, pair.priceDigits)}</span>
    </li>
  );
});
