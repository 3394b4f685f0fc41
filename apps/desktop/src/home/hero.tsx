import { Sparkline } from '@exchange/web-kit/chart/sparkline.tsx';
import { CoinIcon } from '@exchange/web-kit/format/coin-icon.tsx';
import { Change, Price } from '@exchange/web-kit/format/numbers.tsx';
import { useWords, withWords } from '@exchange/web-kit/i18n/words.ts';
import { LoadFailed } from '@exchange/web-kit/list/load-failed.tsx';
import { useTicker } from '@exchange/web-kit/market/live.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { useMarkets } from '@exchange/web-kit/market/queries.ts';
import { lazyPart } from '@exchange/web-kit/part/lazy-part.tsx';
import { useIsDemo } from '@exchange/web-kit/server/server-info.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { Skeleton } from '@exchange/web-kit/ui/parts.tsx';
import { ArrowRight } from 'lucide-react';
import { Link } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';
import { tradePath } from '@exchange/web-kit/market/trade-paths.ts';
import classes from './home.module.css';

const MEMBER_HEIGHT_PX = 340;
const MemberPanel = lazyPart('member-panel', () => withWords(import('./member-panel.tsx')), {
  waiting: <Skeleton width="100%" height={MEMBER_HEIGHT_PX} />,
});

const CARDS = 4;

/**
 * First section of the home page: for visitors an introduction with a registration button, for signed-in users an
 * overview of their account; beside it, up to four live prices.
 */
export function Hero() {
  const t = useWords('home');
  const isSignedIn = useSession(({ session }) => session !== null);
  return (
    <section className={classes.hero}>
      <div className={classes.inner}>
        {isSignedIn ? (
          <MemberPanel />
        ) : (
          <div className={classes.pitch}>
            <h1>{t('headline')}</h1>
            <p>{t('lead')}</p>
            <CallToAction />
          </div>
        )}
        <div className={classes.live}>
          <header className={classes.sectionHead}>
            <h2>{t('marketsLive')}</h2>
            <Link to={paths.market}>
              {t('seeAll')} <ArrowRight size={14} aria-hidden="true" />
            </Link>
          </header>
          <PriceCards />
        </div>
      </div>
    </section>
  );
}

function PriceCards() {
  const { data: pairs, isPending, error, refetch } = useMarkets('USDT');
  if (error !== null) return <LoadFailed error={error} onRetry={() => void refetch()} />;
  return (
    <div className={classes.cards} aria-busy={isPending}>
      {pairs === undefined
        ? Array.from({ length: CARDS }, (_, index) => (
            <Skeleton key={index} height="100%" radius="var(--radius-l)" />
          ))
        : pairs.slice(0, CARDS).map((pair) => <PriceCard key={pair.symbol} pair={pair} />)}
    </div>
  );
}

function PriceCard({ pair }: { readonly pair: MarketPair }) {
  const ticker = useTicker(pair.symbol);
  return (
    <Link data-live className={classes.card} to={tradePath(pair)}>
      <span className={classes.coin}>
        <CoinIcon coin={pair.base} size={28} />
        <b>{pair.base}</b>
        <small>/{pair.quote}</small>
        <Change value={ticker?.change} arrow />
      </span>
      <strong>
        <Price value={ticker?.last} digits={pair.priceDigits} />
      </strong>
      <Sparkline values={ticker?.spark} width={248} height={48} filled change={ticker?.change} />
    </Link>
  );
}

/**
 * A button that opens the registration, and a second one: in demo mode it opens the login with its one-click demo
 * account, otherwise the trading screen.
 */
export function CallToAction() {
  const t = useWords('home');
  const isDemo = useIsDemo();
  return (
    <div className={classes.actions}>
      <ButtonLink size="l" to={paths.register}>
        {t('open')}
      </ButtonLink>
      <ButtonLink size="l" look="secondary" to={isDemo ? paths.login : paths.trade}>
        {t(isDemo ? 'tryDemo' : 'start')}
      </ButtonLink>
    </div>
  );
}
