import { ConvertHistory } from '@exchange/web-kit/convert/convert-history.tsx';
import { ConvertPanel } from '@exchange/web-kit/convert/convert-panel.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { useSearchParams } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';
import { Screen } from '../shell/screen.tsx';
import { ConvertGate, useConvertObstacle } from './convert-gate.tsx';
import css from './convert.module.css';

/** Screen that converts coins at a quote whose price is fixed until it expires; lists previous conversions. */
export default function ConvertScreen() {
  const t = useWords('convert');
  const recurring = useWords('recurring');
  const small = useWords('small');
  const obstacle = useConvertObstacle();
  const [query] = useSearchParams();
  return (
    <Screen title={t('title')} parent={paths.assets}>
      <div className={css.convert} data-in-order>
        <ConvertPanel
          first={query.get('from') ?? undefined}
          gate={obstacle && <ConvertGate text={t(obstacle)} obstacle={obstacle} />}
          toAssets={
            <ButtonLink size="l" to={paths.assets}>
              {t('toAssets')}
            </ButtonLink>
          }
          look="sheet"
        />
        <nav className={css.ways}>
          <ButtonLink look="secondary" wide to={paths.recurring}>
            {recurring('title')}
          </ButtonLink>
          <ButtonLink look="secondary" wide to={paths.smallBalances}>
            {small('title')}
          </ButtonLink>
        </nav>
        <ConvertHistory />
      </div>
    </Screen>
  );
}
