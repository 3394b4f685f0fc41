import { ConvertHistory } from '@exchange/web-kit/convert/convert-history.tsx';
import { SmallPanel } from '@exchange/web-kit/convert/small-panel.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import screen from '../style/screen.module.css';
import { ConvertGate, useConvertObstacle } from './convert-gate.tsx';
import css from './convert.module.css';

/** Screen that converts several small balances into one coin; lists previous conversions of this kind. */
export default function SmallScreen() {
  const t = useWords('small');
  const convert = useWords('convert');
  useTitle(t('title'));
  const obstacle = useConvertObstacle();
  return (
    <div className={screen.screen}>
      <header className={css.head}>
        <h1>{t('title')}</h1>
        <p>{t('lead')}</p>
      </header>
      <div className={css.columns}>
        <SmallPanel
          gate={obstacle && <ConvertGate text={t(obstacle)} obstacle={obstacle} />}
          toAssets={
            <ButtonLink size="l" to={paths.assets}>
              {convert('toAssets')}
            </ButtonLink>
          }
        />
        <ConvertHistory />
      </div>
    </div>
  );
}
