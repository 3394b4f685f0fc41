import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import classes from './message-screen.module.css';

/** What a screen that failed is replaced with; the rest of the page stays usable. */
export function BrokenScreen({ error }: { readonly error: Error }) {
  const t = useWords('shell');
  return (
    <section className={classes.screen} role="alert">
      <h1>{t('screenBroken')}</h1>
      <code>{error.message}</code>
      <Button onClick={() => location.reload()}>{t('reload')}</Button>
    </section>
  );
}
