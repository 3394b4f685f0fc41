import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { TrustCards } from '@exchange/web-kit/proofs/trust-cards.tsx';
import { DEFAULT_INFO, paths } from '../paths.ts';
import classes from './home.module.css';

const PATHS = {
  times: paths.withdrawalTimes,
  sources: DEFAULT_INFO,
  proofs: paths.proofs,
  fees: DEFAULT_INFO,
} as const;

/** What is true of this exchange now, and where one can tell. */
export function Trust() {
  const t = useWords('home');
  return (
    <section className={classes.band}>
      <div className={classes.section}>
        <h2>{t('trust')}</h2>
        <TrustCards paths={PATHS} />
      </div>
    </section>
  );
}
