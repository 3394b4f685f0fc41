import { EyeButton, useBalancesVisible } from '@exchange/web-kit/account/eye-button.tsx';
import { useOverview } from '@exchange/web-kit/account/queries.ts';
import { Amount } from '@exchange/web-kit/format/numbers.tsx';
import { useWords, withWords } from '@exchange/web-kit/i18n/words.ts';
import { LoadFailed } from '@exchange/web-kit/list/load-failed.tsx';
import { useTickers } from '@exchange/web-kit/market/live.ts';
import { usePairs } from '@exchange/web-kit/market/queries.ts';
import { useUnreadCount } from '@exchange/web-kit/message/unread-count.ts';
import { TrustCards } from '@exchange/web-kit/proofs/trust-cards.tsx';
import { useIsDemo } from '@exchange/web-kit/server/server-info.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import type { LegalTextName } from '@exchange/web-kit/legal/legal-link.tsx';
import { isPublicPath } from '@exchange/web-kit/shell/guard.ts';
import { useProductNames } from '@exchange/web-kit/shell/products.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { ButtonLink, IconButton } from '@exchange/web-kit/ui/button.tsx';
import { Tabs } from '@exchange/web-kit/ui/choice.tsx';
import { Count, Skeleton } from '@exchange/web-kit/ui/parts.tsx';
import { DEFAULT_INFO } from '@exchange/web-kit/market/trade-paths.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import { Bell, CandlestickChart, Coins, Pickaxe, PiggyBank, Rocket, Settings2, Timer } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { LegalLink } from '../about/legal-link.tsx';
import { MarketRow, MarketRowsSkeleton } from '../market/market-row.tsx';
import { rankPairs, type Ranking } from '../market/ranking.ts';
import { SupportButton } from '../shell/support-button.tsx';
import css from './home.module.css';
import { lazyPart } from '@exchange/web-kit/part/lazy-part.tsx';
import { fitsOtherSite } from '@exchange/web-kit/shell/site.ts';

/**
 * The offer of the desktop site; its component is loaded as a separate chunk, because only devices that are
 * not phones (computers and tablets) show it.
 */
const DesktopOffer = lazyPart(
  'desktop-offer',
  async () => {
    const { DesktopOffer: Offer } = await import('../shell/desktop-offer.tsx');
    return { default: Offer };
  },
  { waiting: <div className={css.offerAwaited} />, whenMissing: 'nothing' },
);
const HomeBoard = lazyPart('home-board', () => withWords(import('@exchange/web-kit/board/home-board.tsx')), {
  waiting: <div />,
});
const MemberPanel = lazyPart('member-panel', () => withWords(import('./member-panel.tsx')), {
  waiting: <div aria-busy="true" />,
  whenMissing: 'nothing',
});
const PreferencesSheet = lazyPart('preferences-sheet', () => import('../shell/preferences.tsx'), {
  whenMissing: 'dialog',
});

const TRUST_PATHS = {
  times: paths.withdrawalTimes,
  sources: DEFAULT_INFO,
  proofs: paths.proofs,
  fees: paths.fees,
} as const;

/**
 * The home page: for visitors an introduction, for signed-in users their balance, first steps and open
 * orders; then products, announcements, live prices, and reasons to trust the exchange.
 */
export default function HomeScreen() {
  const t = useWords('home');
  const isSignedIn = useSession(({ session }) => session !== null);
  useTitle(undefined);
  return (
    <>
      <HomeBar />
      <main className={css.page} data-in-order>
        {fitsOtherSite('mobile') ? <DesktopOffer /> : null}
        {isSignedIn ? (
          <>
            <Balance />
            <MemberPanel />
          </>
        ) : (
          <Welcome />
        )}
        <Products />
        <div className={css.board}>
          <HomeBoard announcementsPath={paths.announcements} />
        </div>
        <Movers />
        <section className={css.section}>
          <h2 className={css.heading}>{t('trust')}</h2>
          <TrustCards paths={TRUST_PATHS} />
        </section>
        <Footer />
      </main>
    </>
  );
}

function HomeBar() {
  const t = useWords('shell');
  const unread = useUnreadCount();
  const isDemo = useIsDemo();
  const isSignedIn = useSession(({ session }) => session !== null);
  const [isOpen, setOpen] = useState(false);
  return (
    <header className={css.bar}>
      <img src="/favicon.svg" width={24} height={24} alt="" />
      <span className={css.brand}>Amethyst</span>
      {isDemo ? (
        <span className={css.demo} title={t('demo')}>
          {t('demoShort')}
        </span>
      ) : null}
      <span className={css.gap} />
      {isSignedIn ? (
        <Link
          to={paths.messages}
          className={css.bell}
          aria-label={`${t('messages')}: ${t('unread', { count: unread })}`}
        >
          <Bell size={20} aria-hidden="true" />
          <span className={css.badge}>
            <Count value={unread} />
          </span>
        </Link>
      ) : (
        <ButtonLink to={paths.login} size="s" look="secondary">
          {t('login')}
        </ButtonLink>
      )}
      <SupportButton />
      <IconButton label={t('preferences')} className={css.bell} onClick={() => setOpen(true)}>
        <Settings2 size={20} aria-hidden="true" />
      </IconButton>
      <>{isOpen ? <PreferencesSheet isOpen onClose={() => setOpen(false)} /> : null}</>
    </header>
  );
}

function Welcome() {
  const t = useWords('home');
  const shell = useWords('shell');
  const isDemo = useIsDemo();
  return (
    <section className={css.welcome}>
      <h1 className={css.headline}>{t('headline')}</h1>
      <p className={css.lead}>{t('lead')}</p>
      <div className={css.actions}>
        <ButtonLink to={paths.register} size="l">
          {shell('register')}
        </ButtonLink>
        <ButtonLink to={paths.login} size="l" look="secondary">
          {isDemo ? t('tryDemo') : shell('login')}
        </ButtonLink>
      </div>
      {/* The line for the note about the demo keeps its height while it is empty, so that the page does not move when
          the server's response shows that the exchange is in demo mode. */}
      <p className={css.note}>{isDemo ? shell('demo') : null}</p>
    </section>
  );
}

const PRODUCTS = [
  { to: paths.trade, word: 'productSpot', Icon: CandlestickChart },
  { to: paths.seconds, word: 'productSeconds', Icon: Timer },
  { to: paths.finance, Icon: PiggyBank },
  { to: paths.subscribe, Icon: Rocket },
  { to: paths.mining, Icon: Pickaxe },
  { to: paths.fund, Icon: Coins },
] as const;

function Products() {
  const t = useWords('home');
  const nameOf = useProductNames();
  return (
    <nav className={css.products} aria-label={t('products')}>
      {PRODUCTS.map(({ to, Icon, ...words }) => (
        <Link key={to} to={to} className={css.product}>
          <span className={css.productIcon}>
            <Icon size={20} strokeWidth={1.75} aria-hidden="true" />
          </span>
          {'word' in words ? t(words.word) : nameOf(to)}
        </Link>
      ))}
    </nav>
  );
}

const MOVERS_SHOWN = 6;

function Movers() {
  const t = useWords('home');
  const pairs = usePairs();
  const tickers = useTickers();
  const [ranking, setRanking] = useState<Ranking>('popular');
  const rows = rankPairs(pairs.data ?? [], tickers, ranking).slice(0, MOVERS_SHOWN);
  return (
    <section className={css.section}>
      <Tabs<Ranking>
        label={t('markets')}
        value={ranking}
        onChange={setRanking}
        options={[
          { value: 'popular', label: t('popular') },
          { value: 'gainers', label: t('gainers') },
          { value: 'losers', label: t('losers') },
        ]}
      />
      {pairs.error === null ? null : <LoadFailed error={pairs.error} onRetry={() => void pairs.refetch()} />}
      {pairs.isPending ? <MarketRowsSkeleton rows={MOVERS_SHOWN} /> : null}
      {rows.map((pair) => (
        <MarketRow key={pair.symbol} pair={pair} />
      ))}
      <Link to={paths.market} className={css.all}>
        {t('seeAll')}
      </Link>
    </section>
  );
}

function Footer() {
  const t = useWords('shell');
  return (
    <footer className={css.footer}>
      <p>{t('footerRisk')}</p>
      <nav className={css.footerLinks} aria-label={t('footerAbout')}>
        <Terms page="us" to={paths.about} word="footerAbout" />
        <Link to={paths.fees}>{t('footerFees')}</Link>
        <Link to={paths.contact}>{t('footerContact')}</Link>
        <Terms page="protocol" to={paths.terms} word="footerTerms" />
        <Terms page="legal" to={paths.legal} word="footerLegal" />
      </nav>
    </footer>
  );
}

interface TermsProps {
  readonly page: LegalTextName;
  readonly to: string;
  readonly word: 'footerAbout' | 'footerTerms' | 'footerLegal';
}

/** Link to a legal text: to its screen if the user may open that screen, otherwise to a sheet with the text. */
function Terms({ page, to, word }: TermsProps) {
  const t = useWords('shell');
  const isSignedIn = useSession(({ session }) => session !== null);
  if (isSignedIn || isPublicPath(to)) return <Link to={to}>{t(word)}</Link>;
  return <LegalLink page={page}>{t(word)}</LegalLink>;
}

/** The worth of the signed-in user's assets in USDT, masked if amounts are hidden; links to the assets. */
function Balance() {
  const t = useWords('home');
  const isVisible = useBalancesVisible((state) => state.isVisible);
  const { data, error, refetch } = useOverview();
  return (
    <section className={css.balance}>
      <div>
        <h1 className={css.balanceLabel}>
          {t('welcome')}
          <EyeButton className={css.eye} />
        </h1>
        {error === null ? (
          <p className={css.total}>
            {data === undefined ? (
              <Skeleton width={160} height={32} />
            ) : (
              <Amount value={data.total} kind="worth" coin="USDT" hidden={!isVisible} />
            )}
          </p>
        ) : (
          <LoadFailed error={error} onRetry={() => void refetch()} />
        )}
      </div>
      <ButtonLink to={paths.assets} size="m">
        {t('deposit')}
      </ButtonLink>
    </section>
  );
}
