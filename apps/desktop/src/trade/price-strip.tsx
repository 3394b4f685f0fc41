import { UNIT_SPACE } from '@exchange/web-kit/format/decimals.ts';
import { CoinIcon } from '@exchange/web-kit/format/coin-icon.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import {
  DayAmount,
  DayChange,
  DayPrice,
  IndexPrice,
  LastPrice,
} from '@exchange/web-kit/market/live-figures.tsx';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { Badge } from '@exchange/web-kit/ui/parts.tsx';
import { paths } from '@exchange/web-kit/paths.ts';
import { LayoutDashboard } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { AlertButton } from '../alerts/alert-buttons.tsx';
import { FavoriteStar } from '../market/favorite-star.tsx';
import tool from '../style/tool.module.css';
import classes from './price-strip.module.css';

const SOURCES = {
  own: 'sourceOwn',
  mirrored: 'sourceMirrored',
  simulated: 'sourceSimulated',
} as const;

const STATUSES = { cancelOnly: 'statusCancelOnly', closed: 'statusClosed' } as const;

/**
 * Header of the trading screen: the pair's name with its price source or its trading status, last price,
 * index price and 24-hour figures, buttons for favourites and alerts, and a link to the trading desk, which
 * shows several charts.
 */
export function PriceStrip({ pair }: { readonly pair: MarketPair }) {
  const tMarket = useWords('market');
  const tDesk = useWords('desk');
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
        <div className={classes.last} data-live>
          <LastPrice pair={pair} />
          <DayChange pair={pair} arrow />
        </div>
        <dl className={classes.facts} data-live>
          <Fact name={tMarket('indexPrice')}>
            <IndexPrice pair={pair} />
          </Fact>
          <Fact name={tMarket('high')}>
            <DayPrice pair={pair} of="high" />
          </Fact>
          <Fact name={tMarket('low')}>
            <DayPrice pair={pair} of="low" />
          </Fact>
          <Fact name={tMarket('volume')}>
            <DayAmount pair={pair} of="volume" />
            {UNIT_SPACE}
            <small>{pair.base}</small>
          </Fact>
          <Fact name={tMarket('turnover')}>
            <DayAmount pair={pair} of="turnover" />
            {UNIT_SPACE}
            <small>{pair.quote}</small>
          </Fact>
        </dl>
        <div className={classes.tools}>
          <FavoriteStar pair={pair} className={tool.tool} size={16} />
          <AlertButton pair={pair} className={tool.tool} size={16} />
          <Link to={paths.desk} className={tool.tool} aria-label={tDesk('title')} title={tDesk('title')}>
            <LayoutDashboard size={16} aria-hidden="true" />
          </Link>
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
