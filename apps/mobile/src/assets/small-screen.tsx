import { ConvertHistory } from '@exchange/web-kit/convert/convert-history.tsx';
import { SmallPanel } from '@exchange/web-kit/convert/small-panel.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { Screen } from '../shell/screen.tsx';
import { ConvertGate, useConvertObstacle } from './convert-gate.tsx';
import css from './convert.module.css';

/** Screen that converts several small balances into one coin; lists previous conversions of this kind. */
export default function SmallScreen() {
  const t = useWords('small');
  const convert = useWords('convert');
  const obstacle = useConvertObstacle();
  return (
    <Screen title={t('title')} parent={paths.convert}>
      <div className={css.convert} data-in-order>
        <p className={css.lead}>{t('lead')}</p>
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
    </Screen>
  );
}
