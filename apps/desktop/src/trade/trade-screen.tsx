import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { symbolOfLink } from '@exchange/web-kit/market/pair.ts';
import { usePair } from '@exchange/web-kit/market/queries.ts';
import { failureText } from '@exchange/web-kit/notify.ts';
import { PriceTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { EmptyState, ErrorState, Skeleton } from '@exchange/web-kit/ui/parts.tsx';
import { useSearchParams } from 'react-router';
import { paths } from '../paths.ts';
import { TradeDesk } from './trade-desk.tsx';
import classes from './trade-desk.module.css';
import { useLayout } from './use-layout.ts';

const DEFAULT_SYMBOL = 'btcusdt';

/** Spot trading of the pair that the address names. */
export default function TradeScreen() {
  const t = useWords('trade');
  const words = useWords('shell');
  const [search] = useSearchParams();
  const symbol = symbolOfLink(search.get('symbol')) ?? DEFAULT_SYMBOL;
  const pair = usePair(symbol);

  if (pair.error !== null) {
    return (
      <div className={classes.nothing}>
        <h1 className="visually-hidden">{words('navTrade')}</h1>
        <ErrorState
          text={failureText(pair.error)}
          retryLabel={words('retry')}
          onRetry={() => void pair.refetch()}
        />
      </div>
    );
  }
  if (pair.data === undefined) return <AwaitedDesk title={words('navTrade')} />;
  if (pair.data === null) {
    const action = <ButtonLink to={paths.market}>{t('allMarkets')}</ButtonLink>;
    return (
      <div className={classes.nothing}>
        <h1 className="visually-hidden">{words('navTrade')}</h1>
        <EmptyState text={t('unknownPair', { pair: symbol.toUpperCase() })} action={action} />
      </div>
    );
  }
  return (
    <>
      <PriceTitle pair={pair.data} />
      <TradeDesk key={pair.data.symbol} pair={pair.data} />
    </>
  );
}

/** The panels of the desk in their places, before it is known what stands in them. */
function AwaitedDesk({ title }: { readonly title: string }) {
  const { style } = useLayout();
  return (
    <div className={classes.desk} style={style} aria-busy="true">
      <div className={classes.awaited}>
        <h1 className="visually-hidden">{title}</h1>
        <Skeleton height="100%" />
      </div>
      <span />
      <div className={classes.middle}>
        <div className={classes.awaited}>
          <Skeleton height="100%" />
        </div>
        <div className={classes.market}>
          <div className={classes.awaited}>
            <Skeleton height="100%" />
          </div>
          <span />
          <div className={classes.awaited}>
            <Skeleton height="100%" />
          </div>
        </div>
        <span />
        <div className={classes.awaited}>
          <Skeleton height="100%" />
        </div>
      </div>
      <span />
      <div className={classes.awaited}>
        <Skeleton height="100%" />
      </div>
    </div>
  );
}
