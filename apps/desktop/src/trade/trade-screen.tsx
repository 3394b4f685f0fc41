import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { LoadFailed } from '@exchange/web-kit/list/load-failed.tsx';
import { symbolOfLink } from '@exchange/web-kit/market/pair.ts';
import { usePair } from '@exchange/web-kit/market/queries.ts';
import { PriceTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { EmptyState, Skeleton } from '@exchange/web-kit/ui/parts.tsx';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';
import { useLayout } from './layout.ts';
import classes from './trade-desk.module.css';
import { TradeDesk } from './trade-desk.tsx';

const DEFAULT_SYMBOL = 'btcusdt';

/** Spot trading screen of the pair that the URL names, or of the default pair if it names none. */
export default function TradeScreen() {
  const t = useWords('trade');
  const words = useWords('shell');
  const [search] = useSearchParams();
  const symbol = symbolOfLink(search.get('symbol')) ?? DEFAULT_SYMBOL;
  const pair = usePair(symbol);

  const title = words('navTrade');

  if (pair.error !== null)
    return (
      <Placeholder title={title}>
        <LoadFailed error={pair.error} onRetry={() => void pair.refetch()} />
      </Placeholder>
    );
  if (pair.data === undefined) return <DeskSkeleton title={title} />;
  if (pair.data === null)
    return (
      <Placeholder title={title}>
        <EmptyState
          text={t('unknownPair', { pair: symbol.toUpperCase() })}
          action={<ButtonLink to={paths.market}>{t('allMarkets')}</ButtonLink>}
        />
      </Placeholder>
    );
  return (
    <>
      <PriceTitle pair={pair.data} />
      <TradeDesk pair={pair.data} />
    </>
  );
}

/** Screen with a message instead of the trading panels. */
function Placeholder({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className={classes.nothing}>
      <h1 className="visually-hidden">{title}</h1>
      {children}
    </div>
  );
}

/** Empty trading panels, shown while the pair is loading. */
function DeskSkeleton({ title }: { readonly title: string }) {
  const { style } = useLayout();
  return (
    <div className={classes.desk} style={style} aria-busy="true">
      <PanelSkeleton>
        <h1 className="visually-hidden">{title}</h1>
      </PanelSkeleton>
      <span />
      <div className={classes.middle}>
        <PanelSkeleton />
        <div className={classes.market}>
          <PanelSkeleton />
          <span />
          <PanelSkeleton />
        </div>
        <span />
        <PanelSkeleton />
      </div>
      <span />
      <PanelSkeleton />
    </div>
  );
}

function PanelSkeleton({ children }: { readonly children?: ReactNode }) {
  return (
    <div className={classes.awaited}>
      {children}
      <Skeleton height="100%" />
    </div>
  );
}
