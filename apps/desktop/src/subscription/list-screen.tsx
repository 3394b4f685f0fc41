import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { ProjectList } from '@exchange/web-kit/subscription/lists.tsx';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { paths, projectPath } from '@exchange/web-kit/paths.ts';
import screen from '../style/screen.module.css';

/** Screen with the projects whose token sale is current, past or upcoming. */
export default function SubscriptionListScreen() {
  const t = useWords('subscription');
  useTitle(t('title'));
  return (
    <div className={screen.screen}>
      <header className={screen.title}>
        <div>
          <h1>{t('title')}</h1>
          <p>{t('lead')}</p>
        </div>
        <ButtonLink look="secondary" to={paths.subscribeRecord}>
          {t('records')}
        </ButtonLink>
      </header>
      <ProjectList
        linkTo={(project) => (
          <ButtonLink to={projectPath(project.id, project.status === 0)}>
            {t(project.status === 1 ? 'takePart' : 'view')}
          </ButtonLink>
        )}
      />
    </div>
  );
}
