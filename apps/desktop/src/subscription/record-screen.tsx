import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { PartList } from '@exchange/web-kit/subscription/lists.tsx';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { paths } from '@exchange/web-kit/paths.ts';
import screen from '../style/screen.module.css';

export default function SubscriptionRecordScreen() {
  const t = useWords('subscription');
  useTitle(t('records'));
  const toProjects = (
    <ButtonLink look="secondary" to={paths.subscribe}>
      {t('toProjects')}
    </ButtonLink>
  );
  return (
    <div className={screen.screen}>
      <header className={screen.title}>
        <h1>{t('records')}</h1>
        {toProjects}
      </header>
      <PartList action={toProjects} />
    </div>
  );
}
