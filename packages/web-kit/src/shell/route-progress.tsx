import { useNavigation } from 'react-router';
import { useWords } from '../i18n/words.ts';
import css from './route-progress.module.css';

/** Progress bar at the top of the window while the next screen is loading; its style sheet shows it after 150 ms. */
export function RouteProgress() {
  const t = useWords('shell');
  const isLoading = useNavigation().state === 'loading';
  return isLoading ? <div className={css.bar} role="progressbar" aria-label={t('loading')} /> : null;
}
