import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useRemoveFirstSkeleton } from '@exchange/web-kit/shell/first-shape.ts';
import { useMissingOffline } from '@exchange/web-kit/shell/offline.ts';
import { Button, ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { paths } from '@exchange/web-kit/paths.ts';
import css from './shell.module.css';

/** Screen shown instead of a screen that failed to render or whose code failed to load. */
export function BrokenScreen() {
  const t = useWords('shell');
  const isOffline = useMissingOffline();
  useRemoveFirstSkeleton();
  return (
    <main className={css.broken} role="alert">
      <h1>{t(isOffline ? 'screenOffline' : 'screenBroken')}</h1>
      <p>{t(isOffline ? 'screenOfflineHint' : 'reloadHint')}</p>
      <Button onClick={() => location.reload()}>{t('reload')}</Button>
      <ButtonLink look="secondary" to={paths.home}>
        {t('toHome')}
      </ButtonLink>
    </main>
  );
}
