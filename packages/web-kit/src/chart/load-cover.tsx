import { useWords } from '../i18n/words.ts';
import type { LoadState } from './candle-loader.ts';
import classes from './load-cover.module.css';

/** What lies over the canvas until there are candles, and why there are none. */
export function LoadCover({ state, retry }: { readonly state: LoadState; readonly retry: () => void }) {
  const t = useWords('chart');
  if (state === 'shown') return null;
  return (
    <div className={classes.cover} data-state={state}>
      {state === 'empty' && <p>{t('empty')}</p>}
      {state === 'failed' && (
        <p role="alert">
          {t('failed')}{' '}
          <button type="button" className={classes.retry} onClick={retry}>
            {t('retry')}
          </button>
        </p>
      )}
    </div>
  );
}
