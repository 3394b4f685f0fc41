import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import css from './shell.module.css';

/** Stands in for a screen that could not be drawn or loaded. */
export function BrokenRoute() {
  const t = useWords('shell');
  return (
    <main className={css.broken} role="alert">
      <p>{t('screenBroken')}</p>
      <Button onClick={() => location.reload()}>{t('reload')}</Button>
    </main>
  );
}
