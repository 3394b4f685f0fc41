import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { paths } from '../paths.ts';
import css from './shell.module.css';

export default function NotFoundScreen() {
  const t = useWords('shell');
  useTitle(t('notFound'));
  return (
    <main className={css.broken}>
      <h1>{t('notFound')}</h1>
      <ButtonLink to={paths.home}>{t('toHome')}</ButtonLink>
    </main>
  );
}
