import { Decimal } from '@exchange/core/decimal.ts';
import { CoinIcon } from '@exchange/web-kit/format/coin-icon.tsx';
import { Change, Compact, Price } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useTickersKnown, useTickers } from '@exchange/web-kit/market/live.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { useMarkets } from '@exchange/web-kit/market/queries.ts';
import type { Ticker } from '@exchange/web-kit/market/tickers.ts';
import { EmptyState, SkeletonRows } from '@exchange/web-kit/ui/parts.tsx';
import { Link } from 'react-router';
import { tradePath } from '@exchange/web-kit/market/trade-paths.ts';
import classes from './home.module.css';

const ROWS = 4;

interface Mover {
  readonly pair: MarketPair;
  readonly ticker: Ticker;
}

/**
 * Three lists of USDT pairs with live figures: top gainers, top losers and highest turnover of the last 24 hours.
 * Renders nothing if no such pair is listed or the pairs cannot be loaded.
 */
export function Movers() {
  const t = useWords('desktop-home');
  const tMarket = useWords('market');
  const tickers = useTickers();
  const markets = useMarkets('USDT');
  const movers = (markets.data ?? []).flatMap((pair) => {
    const ticker = tickers.get(pair.symbol);
    return ticker === undefined ? [] : [{ pair, ticker }];
  });
  // The section is left out when no pair quoted in USDT is listed, or when the pairs could not be loaded.
  if (markets.error !== null || markets.data?.length === 0) return null;
  return (
    <section className={classes.section}>
      <div className={classes.movers} data-live>
        <List title={t('highest')} movers={rankedBy(movers, 'change', 1)} />
        <List title={t('lowest')} movers={rankedBy(movers, 'change', -1)} />
        <List title={tMarket('turnover')} movers={rankedBy(movers, 'turnover', 1)} shows="turnover" />
      </div>
    </section>
  );
}

interface ListProps {
  readonly title: string;
  readonly movers: readonly Mover[];
  readonly shows?: 'change' | 'turnover';
}

function List({ title, movers, shows = 'change' }: ListProps) {
  const t = useWords('desktop-home');
  const isKnown = useTickersKnown();
  return (
    <div className={classes.mover}>
      <h2>{title}</h2>
      {movers.length === 0 && (
        <div className={classes.awaited}>
          {isKnown ? <EmptyState text={t('noPrices')} /> : <SkeletonRows rows={ROWS} height={16} gap={28} />}
        </div>
      )}
      <ul>
        {movers.map(({ pair, ticker }) => (
          <li key={pair.symbol}>
            <Link to={tradePath(pair)}>
              <CoinIcon coin={pair.base} size={24} />
              <b>{pair.base}</b>
              <Price value={ticker.last} digits={pair.priceDigits} />
              {shows === 'change' ? (
                <Change value={ticker.change} arrow />
              ) : (
                <Compact value={ticker.turnover} />
              )}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

/**
 * Returns the first `ROWS` pairs sorted by their 24-hour change or turnover: the highest first for
 * `direction` 1, the lowest first for −1.
 */
function rankedBy(
  movers: readonly Mover[],
  field: 'change' | 'turnover',
  direction: 1 | -1,
): readonly Mover[] {
  const value = ({ ticker }: Mover): Decimal => Decimal.parse(ticker[field]);
  return movers.toSorted((a, b) => direction * value(b).compare(value(a))).slice(0, ROWS);
}
