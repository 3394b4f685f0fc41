import { useWords, withWords } from '@exchange/web-kit/i18n/words.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { lazy, Suspense } from 'react';
import { paths } from '../paths.ts';
import { Closing } from './closing.tsx';
import classes from './home.module.css';
import { Hero } from './hero.tsx';
import { Movers } from './movers.tsx';
import { Products } from './products.tsx';
import { Steps } from './steps.tsx';
import { Trust } from './trust.tsx';

const HomeBoard = lazy(() => withWords(import('@exchange/web-kit/board/home-board.tsx')));

/** Who we are, what it costs right now, what one can do here and why one may believe it. */
export default function HomeScreen() {
  const t = useWords('home');
  useTitle(t('title'));
  return (
    <div className={classes.home}>
      <Hero />
      <section className={classes.board}>
        <Suspense fallback={<div />}>
          <HomeBoard announcementsPath={paths.announcements} />
        </Suspense>
      </section>
      <Movers />
      <Products />
      <Trust />
      <Steps />
      <Closing />
    </div>
  );
}
