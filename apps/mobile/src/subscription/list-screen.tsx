import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ProjectList } from '@exchange/web-kit/subscription/lists.tsx';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { Link } from 'react-router';
import { paths, projectPath } from '@exchange/web-kit/paths.ts';
import { Screen } from '../shell/screen.tsx';
import css from '../shell/shell.module.css';

/** Screen with the projects whose token sale is current, past or upcoming. */
export default function SubscriptionListScreen() {
  const t = useWords('subscription');
  return (
    <Screen
      title={t('title')}
      parent={paths.home}
      end={
        <Link to={paths.subscribeRecord} className={css.barLink}>
          {t('records')}
        </Link>
      }
    >
      <p className={css.lead}>{t('lead')}</p>
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
