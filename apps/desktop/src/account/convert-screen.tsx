import { ConvertHistory } from '@exchange/web-kit/convert/convert-history.tsx';
import { ConvertPanel } from '@exchange/web-kit/convert/convert-panel.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { useSearchParams } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';
import screen from '../style/screen.module.css';
import { ConvertGate, useConvertObstacle } from './convert-gate.tsx';
import css from './convert.module.css';

/** Screen that converts coins at a quote whose price is fixed until it expires; lists previous conversions. */
export default function ConvertScreen() {
  const t = useWords('convert');
  const recurring = useWords('recurring');
  const small = useWords('small');
  useTitle(t('title'));
  const obstacle = useConvertObstacle();
  const [query] = useSearchParams();
  return (
    <div className={screen.screen}>
      <header className={css.head}>
        <h1>{t('title')}</h1>
        <p>{t('lead')}</p>
        <nav className={css.ways}>
          <ButtonLink look="secondary" size="s" to={paths.recurring}>
            {recurring('title')}
          </ButtonLink>
          <ButtonLink look="secondary" size="s" to={paths.smallBalances}>
            {small('title')}
          </ButtonLink>
        </nav>
      </header>
      <div className={css.columns}>
        <ConvertPanel
          first={query.get('from') ?? undefined}
          gate={obstacle && <ConvertGate text={t(obstacle)} obstacle={obstacle} />}
          toAssets={
            <ButtonLink size="l" to={paths.assets}>
              {t('toAssets')}
            </ButtonLink>
          }
          look="floating"
        />
        <ConvertHistory />
      </div>
    </div>
  );
}
