import { Amount, Price } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import type { DepthRow } from '@exchange/web-kit/market/book.ts';
import { useDepth, useIndexPrice, useTicker } from '@exchange/web-kit/market/live.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { Skeleton } from '@exchange/web-kit/ui/parts.tsx';
import { memo } from 'react';
import css from './book.module.css';

const ROWS = 5;

/** Five rows each side around the last price; a tap takes a row's price. */
export function Book({
  pair,
  onPrice,
}: {
  pair: MarketPair;
  onPrice: ((price: string) => void) | undefined;
}) {
  const t = useWords('trade');
  const { bids, asks, isKnown } = useDepth(pair.symbol, { rows: ROWS });
  return (
    <section className={css.book} aria-label={t('book')}>
      <div className={css.head}>
        <span>{t('priceField', { coin: pair.quote })}</span>
        <span>{t('amountField', { coin: pair.base })}</span>
      </div>
      <Side rows={[...asks].reverse()} side="asks" isKnown={isKnown} pair={pair} onPrice={onPrice} />
      <Middle pair={pair} />
      <Side rows={bids} side="bids" isKnown={isKnown} pair={pair} onPrice={onPrice} />
    </section>
  );
}

interface SideProps {
  rows: readonly DepthRow[];
  side: 'bids' | 'asks';
  isKnown: boolean;
  pair: MarketPair;
  onPrice: ((price: string) => void) | undefined;
}

function Side({ rows, side, isKnown, pair, onPrice }: SideProps) {
  const missing = Array.from({ length: ROWS - rows.length }, (_, row) => (
    <div key={`empty-${row}`} className={css.row}>
      {isKnown ? null : <Skeleton height={12} />}
    </div>
  ));
  return (
    <div>
      {side === 'asks' ? missing : null}
      {rows.map((row) => (
        <Row key={row.price} row={row} side={side} pair={pair} onPrice={onPrice} />
      ))}
      {side === 'bids' ? missing : null}
    </div>
  );
}

interface RowProps {
  row: DepthRow;
  side: 'bids' | 'asks';
  pair: MarketPair;
  onPrice: ((price: string) => void) | undefined;
}

const Row = memo(
  function Row({ row, side, pair, onPrice }: RowProps) {
    const t = useWords('trade');
    return (
      <button
        type="button"
        className={css.row}
        disabled={onPrice === undefined}
        aria-label={`${t('takePrice', { price: row.price })}, ${t('amount')} ${row.amount}`}
        onClick={() => onPrice?.(row.price)}
      >
        <span className={css.bar} data-side={side} style={{ transform: `scaleX(${row.share})` }} />
        <Price value={row.price} digits={pair.priceDigits} direction={side === 'bids' ? 'up' : 'down'} />
        <Amount value={row.amount} digits={Math.min(pair.amountDigits, 5)} />
      </button>
    );
  },
  (before, after) =>
    before.row.price === after.row.price &&
    before.row.amount === after.row.amount &&
    before.row.share === after.row.share &&
    before.pair === after.pair &&
    before.onPrice === after.onPrice,
);

function Middle({ pair }: { pair: MarketPair }) {
  const t = useWords('trade');
  const ticker = useTicker(pair.symbol);
  const index = useIndexPrice(pair.symbol);
  return (
    <div className={css.middle}>
      <span className={css.last}>
        <Price value={ticker?.last} digits={pair.priceDigits} direction={ticker?.direction} />
        <span
          className={css.arrow}
          aria-label={t(ticker?.direction === 'down' ? 'lastDown' : 'lastUp')}
          role="img"
        >
          {ticker === undefined || ticker.direction === 'none' ? '' : ticker.direction === 'up' ? '▲' : '▼'}
        </span>
      </span>
      <span className={css.index} title={t('indexPrice')}>
        ≈ <Price value={index ?? ticker?.last} digits={pair.priceDigits} />
      </span>
    </div>
  );
}
