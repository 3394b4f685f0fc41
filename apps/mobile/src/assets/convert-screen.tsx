import { ConvertHistory } from '@exchange/web-kit/convert/convert-history.tsx';
import { ConvertPanel } from '@exchange/web-kit/convert/convert-panel.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { loginPathFor, pathWithReturn } from '@exchange/web-kit/shell/guard.ts';
import { ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { type PurchaseObstacle, usePurchaseGate } from '@exchange/web-kit/user/purchase-gate.ts';
import { useLocation, useSearchParams } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';
import { Screen } from '../shell/screen.tsx';
import css from './convert.module.css';

/** Converts coins at a firm quote; lists previous conversions. */
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

/** Explains what the user must still do before converting coins, with a link. */
function Gate({ gate }: { readonly gate: Exclude<PurchaseObstacle, 'needsPassword'> }) {
  const t = useWords('convert');
  const shell = useWords('shell');
  const { pathname, search } = useLocation();
  const links = {
    needsLogin: [loginPathFor(pathname + search), shell('login')],
    needsVerification: [pathWithReturn(paths.verify, pathname + search), t('toVerification')],
    notPermitted: undefined,
  } as const;
  const link = links[gate];
  return (
    <>
      <p>{t(gate)}</p>
      {link === undefined ? null : <ButtonLink to={link[0]}>{link[1]}</ButtonLink>}
    </>
  );
}
