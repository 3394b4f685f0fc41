import { FundList } from '@exchange/web-kit/fund/parts.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { fundPath, paths } from '@exchange/web-kit/paths.ts';
import screen from '../style/screen.module.css';

export default function FundListScreen() {
  const t = useWords('fund');
  useTitle(t('title'));
  return (
    <div className={screen.screen}>
      <header className={screen.title}>
        <div>
          <h1>{t('title')}</h1>
          <p>{t('lead')}</p>
        </div>
        <ButtonLink look="secondary" to={paths.fundRecord}>
          {t('records')}
        </ButtonLink>
      </header>
      <FundList
        linkTo={(fund) => (
          <ButtonLink look={fund.status === 1 ? 'primary' : 'secondary'} to={fundPath(fund.id)}>
            {t('view')}
          </ButtonLink>
        )}
      />
    </div>
  );
}
