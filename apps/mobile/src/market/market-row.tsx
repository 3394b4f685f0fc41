import { Sparkline } from '@exchange/web-kit/chart/sparkline.tsx';
import { CoinIcon } from '@exchange/web-kit/format/coin-icon.tsx';
import { Change, Compact, Price } from '@exchange/web-kit/format/numbers.tsx';
import { useTicker } from '@exchange/web-kit/market/live.ts';
import { PauseBadge } from '@exchange/web-kit/market/pause-note.tsx';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { Skeleton } from '@exchange/web-kit/ui/parts.tsx';
import { memo, type ReactNode } from 'react';
import { Link } from 'react-router';
import { chartPath } from '../paths.ts';
import css from './market.module.css';

/**
 * A list row with a pair, its 24-hour turnover or the pause of its trading, a line of its prices of the last
 * 24 hours, its price and its 24-hour change; it links to the pair's chart.
 */
export const MarketRow = memo(function MarketRow({ pair, start }: { pair: MarketPair; start?: ReactNode }) {
  const ticker = useTicker(pair.symbol);
  return (
    <div className={css.row}>
      {start}
      <Link data-live to={chartPath(pair)} className={css.link}>
        <CoinIcon coin={pair.base} size={28} />
        <span className={css.name}>
          <span className={css.coins}>
            <b>{pair.base}</b>
            <span className={css.quote}>/{pair.quote}</span>
          </span>
          <span className={css.turnover}>
            {pair.status === 'open' ? <Compact value={ticker?.turnover} /> : <PauseBadge pair={pair} />}
          </span>
        </span>
        <span className={css.spark}>
          <Sparkline values={ticker?.spark} change={ticker?.change} width={48} height={24} />
        </span>
        <span className={css.figures}>
          <span className={css.price}>
            <Price value={ticker?.last} digits={pair.priceDigits} />
          </span>
          <Change value={ticker?.change} look="pill" className={css.change} />
        </span>
      </Link>
    </div>
  );
});

/** Placeholder rows, shown while the pairs are loading. */
export function MarketRowsSkeleton({ rows }: { rows: number }) {
  return (
    <div aria-busy="true">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={css.row}>
          <div className={css.link}>
            <Skeleton width={28} height={28} radius={14} />
            <span className={css.name}>
              <Skeleton width={72} height={16} />
            </span>
            <Skeleton width={150} height={20} />
          </div>
        </div>
      ))}
    </div>
  );
}
