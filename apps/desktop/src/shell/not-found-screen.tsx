import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { paths } from '../paths.ts';
import classes from './message-screen.module.css';
import { Logo } from './logo.tsx';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';

/** What an unknown address shows. */
export default function NotFoundScreen() {
  const t = useWords('shell');
  useTitle('404');
  return (
    <section className={classes.screen}>
      <Logo size={48} />
      <h1>{t('notFound')}</h1>
      <ButtonLink to={paths.home}>{t('toHome')}</ButtonLink>
    </section>
  );
}
