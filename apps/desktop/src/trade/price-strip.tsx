import { CoinIcon } from '@exchange/web-kit/format/coin-icon.tsx';
import { Change, Compact, Price } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useIndexPrice, useTicker } from '@exchange/web-kit/market/live.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { Badge } from '@exchange/web-kit/ui/parts.tsx';
import type { ReactNode } from 'react';
import { AlertButton } from '../alerts/alert-button.tsx';
import { FavoriteStar } from '../market/favorite-star.tsx';
import classes from './price-strip.module.css';

const SOURCES = {
  own: 'sourceOwn',
  mirrored: 'sourceMirrored',
  simulated: 'sourceSimulated',
} as const;

const STATUSES = { cancelOnly: 'statusCancelOnly', closed: 'statusClosed' } as const;

/** The pair's name, last price and last 24 hours. */
export function PriceStrip({ pair }: { readonly pair: MarketPair }) {
  const tMarket = useWords('market');
  const ticker = useTicker(pair.symbol);
  const index = useIndexPrice(pair.symbol);
  return (
    <header className={classes.strip}>
      <div className={classes.line}>
        <h1 className={classes.name}>
          <CoinIcon coin={pair.base} size={28} />
          <span>
            {pair.base}/{pair.quote}
            <small title={pair.status === 'open' ? tMarket(SOURCES[pair.source]) : undefined}>
              {pair.status === 'open' ? (
                tMarket(SOURCES[pair.source])
              ) : (
                <Badge tone="warning">{tMarket(STATUSES[pair.status])}</Badge>
              )}
            </small>
          </span>
        </h1>
        <div className={classes.last}>
          <Price value={ticker?.last} digits={pair.priceDigits} direction={ticker?.direction} />
          <Change value={ticker?.change} arrow />
        </div>
        <dl className={classes.facts}>
          <Fact name={tMarket('indexPrice')}>
            <Price value={index} digits={pair.priceDigits} />
          </Fact>
          <Fact name={tMarket('high')}>
            <Price value={ticker?.high} digits={pair.priceDigits} />
          </Fact>
          <Fact name={tMarket('low')}>
            <Price value={ticker?.low} digits={pair.priceDigits} />
          </Fact>
          <Fact name={tMarket('volume')}>
            <Compact value={ticker?.volume} /> <small>{pair.base}</small>
          </Fact>
          <Fact name={tMarket('turnover')}>
            <Compact value={ticker?.turnover} /> <small>{pair.quote}</small>
          </Fact>
        </dl>
        <div className={classes.tools}>
          <FavoriteStar pair={pair} className={classes.tool} size={16} />
          <AlertButton pair={pair} className={classes.tool} size={16} />
        </div>
      </div>
    </header>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
