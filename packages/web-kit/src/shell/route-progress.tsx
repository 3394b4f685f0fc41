import { useNavigation } from 'react-router';
import { useWords } from '../i18n/words.ts';
import css from './route-progress.module.css';

/** A thin bar at the top of the window while the next screen is loaded, from 150 ms on. */
export function RouteProgress() {
  const t = useWords('shell');
  const isLoading = useNavigation().state === 'loading';
  return isLoading ? <div className={css.bar} role="progressbar" aria-label={t('loading')} /> : null;
}
