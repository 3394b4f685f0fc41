import { FundList } from '@exchange/web-kit/fund/parts.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { Link } from 'react-router';
import { fundPath, paths } from '@exchange/web-kit/paths.ts';
import { Screen } from '../shell/screen.tsx';
import css from '../shell/shell.module.css';

export default function FundListScreen() {
  const t = useWords('fund');
  return (
    <Screen
      title={t('title')}
      parent={paths.home}
      end={
        <Link to={paths.fundRecord} className={css.barLink}>
          {t('records')}
        </Link>
      }
    >
      <p className={css.lead}>{t('lead')}</p>
      <FundList
        linkTo={(fund) => (
          <ButtonLink look={fund.status === 1 ? 'primary' : 'secondary'} to={fundPath(fund.id)}>
            {t('view')}
          </ButtonLink>
        )}
      />
    </Screen>
  );
}
