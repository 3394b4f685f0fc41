import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ProjectList } from '@exchange/web-kit/subscription/lists.tsx';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { paths, projectPath } from '../paths.ts';
import { Screen } from '../shell/screen.tsx';

/** The projects whose tokens are, were or will be sold. */
export default function SubscriptionListScreen() {
  const t = useWords('subscription');
  return (
    <Screen title={t('title')} parent={paths.home}>
      <header>
        <p>{t('lead')}</p>
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
    </Screen>
  );
}
