import { useWords, withWords } from '@exchange/web-kit/i18n/words.ts';
import { TrustCards } from '@exchange/web-kit/proofs/trust-cards.tsx';
import { useIsDemo } from '@exchange/web-kit/server/server-info.ts';
import { useSession } from '@exchange/web-kit/session/session-store.ts';
import { useProductNames } from '@exchange/web-kit/shell/products.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { CandlestickChart, ChartPie, Pickaxe, PiggyBank, Rocket, Timer } from 'lucide-react';

import { Link } from 'react-router';
import { DEFAULT_INFO } from '@exchange/web-kit/market/trade-paths.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import { Logo } from '../shell/logo.tsx';
import { CallToAction, Hero } from './hero.tsx';
import classes from './home.module.css';
import { Movers } from './movers.tsx';
import { lazyPart } from '@exchange/web-kit/part/lazy-part.tsx';

const HomeBoard = lazyPart('home-board', () => withWords(import('@exchange/web-kit/board/home-board.tsx')), {
  waiting: <div />,
});

/** The home page of the exchange: introduction, live prices, products, and reasons to trust the exchange. */
export default function HomeScreen() {
  const t = useWords('home');
  useTitle(t('title'));
  const isSignedIn = useSession(({ session }) => session !== null);
  return (
    <div className={classes.home}>
      <Hero />
      <section className={classes.board}>
        <HomeBoard announcementsPath={paths.announcements} />
      </section>
      <Movers />
      <Products />
      <Trust />
      {isSignedIn ? null : (
        <>
          <Steps />
          <Closing />
        </>
      )}
    </div>
  );
}

const PRODUCTS = [
  { title: 'productSpot', text: 'productSpotText', to: paths.trade, icon: CandlestickChart },
  { title: 'productSeconds', text: 'productSecondsText', to: paths.seconds, icon: Timer },
  { text: 'productFinanceText', to: paths.finance, icon: PiggyBank },
  { text: 'productSubscribeText', to: paths.subscribe, icon: Rocket },
  { text: 'productMiningText', to: paths.mining, icon: Pickaxe },
  { text: 'productFundText', to: paths.fund, icon: ChartPie },
] as const;

/** A card for each product of the exchange, such as spot trading. */
function Products() {
  const t = useWords('home');
  const nameOf = useProductNames();
  return (
    <section className={classes.section}>
      <h2>{t('products')}</h2>
      <div className={classes.products}>
        {PRODUCTS.map(({ to, icon: Icon, ...words }) => (
          <Link key={to} to={to} className={classes.product}>
            <Icon size={24} aria-hidden="true" />
            <h3>{'title' in words ? t(words.title) : nameOf(to)}</h3>
            <p>{t(words.text)}</p>
          </Link>
        ))}
      </div>
    </section>
  );
}

const TRUST_PATHS = {
  times: paths.withdrawalTimes,
  sources: DEFAULT_INFO,
  proofs: paths.proofs,
  fees: paths.fees,
} as const;

/** Facts about this exchange that visitors can verify, with links to the evidence. */
function Trust() {
  const t = useWords('home');
  return (
    <section className={classes.band}>
      <div className={classes.section}>
        <h2>{t('trust')}</h2>
        <TrustCards paths={TRUST_PATHS} />
      </div>
    </section>
  );
}

/** The three steps from a visitor's registration to the first order. */
function Steps() {
  const t = useWords('home');
  const isDemo = useIsDemo();
  const steps = [
    { title: t('step1'), text: t('step1Text') },
    { title: t('step2'), text: t(isDemo ? 'step2Text' : 'step2TextLive') },
    { title: t('step3'), text: t('step3Text') },
  ];
  return (
    <section className={classes.section}>
      <h2>{t('steps')}</h2>
      <ol className={classes.steps}>
        {steps.map(({ title, text }, index) => (
          <li key={title}>
            <span aria-hidden="true">{index + 1}</span>
            <div>
              <h3>{title}</h3>
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The last section of the home page, with a registration button. */
function Closing() {
  const t = useWords('desktop-home');
  return (
    <section className={classes.section}>
      <div className={classes.closing}>
        <Logo size={40} />
        <h2>{t('closing')}</h2>
        <p>{t('closingText')}</p>
        <CallToAction />
      </div>
    </section>
  );
}
