import { ConvertHistory } from '@exchange/web-kit/convert/convert-history.tsx';
import { ConvertPanel } from '@exchange/web-kit/convert/convert-panel.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { loginPathFor, pathWithReturn } from '@exchange/web-kit/shell/guard.ts';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { type PurchaseGate, usePurchaseGate } from '@exchange/web-kit/user/purchase-gate.ts';
import { useLocation, useSearchParams } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';
import { Screen } from '../shell/screen.tsx';
import css from './convert.module.css';

/** One coin for another at a firm quote, and what was exchanged before. */
export default function ConvertScreen() {
  const t = useWords('convert');
  const { gate } = usePurchaseGate();
  const [query] = useSearchParams();
  return (
    <Screen title={t('title')} parent={paths.assets}>
      <div className={css.convert} data-in-order>
        <ConvertPanel
          first={query.get('from') ?? undefined}
          gate={gate === undefined || gate === 'needsPassword' ? undefined : <Gate gate={gate} />}
          toAssets={
            <ButtonLink size="l" to={paths.assets}>
              {t('toAssets')}
            </ButtonLink>
          }
          look="sheet"
        />
        <ConvertHistory />
      </div>
    </Screen>
  );
}

/** What is to be done first, with the way there. */
function Gate({ gate }: { readonly gate: Exclude<PurchaseGate, 'needsPassword'> }) {
  const t = useWords('convert');
  const shell = useWords('shell');
  const { pathname, search } = useLocation();
  const ways = {
    needsLogin: [loginPathFor(pathname + search), shell('login')],
    needsVerification: [pathWithReturn(paths.verify, pathname + search), t('toVerification')],
    notPermitted: undefined,
  } as const;
  const way = ways[gate];
  return (
    <>
      <p>{t(gate)}</p>
      {way === undefined ? null : <ButtonLink to={way[0]}>{way[1]}</ButtonLink>}
    </>
  );
}
