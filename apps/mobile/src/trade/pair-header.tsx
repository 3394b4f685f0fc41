import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useAlerts } from '@exchange/web-kit/market/alerts.ts';
import { DayChange } from '@exchange/web-kit/market/live-figures.tsx';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { useIsDemo } from '@exchange/web-kit/server/server-info.ts';
import { useLeaveFor } from '@exchange/web-kit/shell/leave.ts';
import { PriceTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { IconButton } from '@exchange/web-kit/ui/button.tsx';
import { paths } from '@exchange/web-kit/paths.ts';
import { Bell, BellRing, CandlestickChart, ChevronDown, ListOrdered } from 'lucide-react';
import { memo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { FavoriteStar } from '../market/favorite-star.tsx';
import { type PairView } from '../paths.ts';
import { withTradeView } from './trade-query.ts';
import css from './trade.module.css';
import { lazyPart } from '@exchange/web-kit/part/lazy-part.tsx';

const PairSheet = lazyPart('pair-sheet', () => import('./pair-sheet.tsx'), { whenMissing: 'dialog' });
const AlertSheet = lazyPart('alert-sheet', () => import('../market/alert-sheet.tsx'), {
  whenMissing: 'dialog',
});

interface PairHeaderProps {
  pair: MarketPair;
  view: PairView | undefined;
}

/**
 * Header of the trading screen: pair selector, 24-hour change, price alerts, a switch between ticket and chart, and,
 * while the ticket is not shown, the star that makes the pair a favourite.
 */
export const PairHeader = memo(function PairHeader({ pair, view }: PairHeaderProps) {
  const t = useWords('trade');
  const [query, setQuery] = useSearchParams();
  const isTicket = view === undefined;
  const ticket = `${paths.trade}?${withTradeView(query, { view: undefined }).toString()}`;
  const closeView = useLeaveFor(ticket);
  const openChart = () => setQuery(withTradeView(query, { view: 'chart' }));
  return (
    <header className={css.header} data-view={view}>
      <Name pair={pair} />
      {isTicket ? null : <FavoriteStar pair={pair} className={css.headerButton} size={20} />}
      <AlertBell pair={pair} />
      <IconButton
        label={t(isTicket ? 'openChart' : 'closeChart')}
        className={css.headerButton}
        onClick={isTicket ? openChart : closeView}
      >
        {isTicket ? (
          <CandlestickChart size={22} aria-hidden="true" />
        ) : (
          <ListOrdered size={22} aria-hidden="true" />
        )}
      </IconButton>
    </header>
  );
});

function Name({ pair }: { pair: MarketPair }) {
  const t = useWords('trade');
  const shell = useWords('shell');
  const isDemo = useIsDemo();
  const [isOpen, setOpen] = useState(false);
  const name = `${pair.base}/${pair.quote}`;
  return (
    <div className={css.nameBlock}>
      <PriceTitle pair={pair} />
      <h1>
        <button
          type="button"
          className={css.pair}
          aria-haspopup="dialog"
          aria-label={`${name}, ${t('pairs')}`}
          onClick={() => setOpen(true)}
        >
          {name}
          <ChevronDown size={16} aria-hidden="true" />
        </button>
      </h1>
      <span className={css.under} data-live>
        <DayChange pair={pair} arrow />
        {isDemo ? <span className={css.demo}>{shell('demoShort')}</span> : null}
      </span>
      <>{isOpen ? <PairSheet onClose={() => setOpen(false)} /> : null}</>
    </div>
  );
}

/** Button that opens the price alerts of a pair; the bell icon is shown ringing while the pair has active alerts. */
function AlertBell({ pair }: { pair: MarketPair }) {
  const t = useWords('alerts');
  const count = useAlerts(pair.symbol).data?.list.length ?? 0;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton
        label={t('addFor', { pair: `${pair.base}/${pair.quote}` })}
        className={css.headerButton}
        data-on={count > 0 || undefined}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {count > 0 ? <BellRing size={20} aria-hidden="true" /> : <Bell size={20} aria-hidden="true" />}
      </IconButton>
      <>{isOpen ? <AlertSheet pair={pair} onClose={() => setOpen(false)} /> : null}</>
    </>
  );
}
