import { useEarnWords, useEarnPaths } from '@exchange/web-kit/finance/earn.ts';
import { PurchaseResultView } from '@exchange/web-kit/finance/purchase-result.tsx';
import { PurchaseForm } from '@exchange/web-kit/finance/purchase-form.tsx';
import type { Product } from '@exchange/web-kit/finance/queries.ts';
import { usePurchase } from '@exchange/web-kit/finance/use-purchase.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { useIsDemo } from '@exchange/web-kit/server/server-info.ts';
import { loginPathFor, pathWithReturn } from '@exchange/web-kit/shell/guard.ts';
import { Button, ButtonLink } from '@exchange/web-kit/ui/button.tsx';
import { Sheet } from '@exchange/web-kit/ui/overlay.tsx';
import { usePurchaseGate, type PurchaseObstacle } from '@exchange/web-kit/user/purchase-gate.ts';
import { Link, useLocation } from 'react-router';
import { paths } from '@exchange/web-kit/paths.ts';

interface PurchaseSheetProps {
  /** The product as currently published; its remaining supply can change while the sheet is open. */
  product: Product;
  onClose: () => void;
}

/** Sheet in which the user buys an earn product; after the purchase it links to the new order. */
export default function PurchaseSheet({ product, onClose }: PurchaseSheetProps) {
  const t = useEarnWords();
  const shell = useWords('shell');
  const isDemo = useIsDemo();
  const control = usePurchase(product);
  const { gate, demoPassword } = usePurchaseGate();
  const { bought } = control;
  const { holding } = useEarnPaths();
  return (
    <Sheet isOpen onClose={onClose} title={t('buyTitle', { name: product.name })} closeLabel={shell('close')}>
      {bought === undefined ? (
        <PurchaseForm
          product={product}
          control={control}
          funds={
            gate === 'needsLogin' ? null : (
              <Link to={isDemo ? paths.assets : paths.deposit}>{t(isDemo ? 'getFunds' : 'deposit')}</Link>
            )
          }
          gate={gate === undefined ? undefined : <Gate gate={gate} />}
          passwordHint={
            demoPassword === undefined ? undefined : t('demoPassword', { password: demoPassword })
          }
        />
      ) : (
        <PurchaseResultView
          product={product}
          bought={bought}
          actions={
            <>
              <Button look="secondary" size="l" onClick={onClose}>
                {t('done')}
              </Button>
              <ButtonLink size="l" to={holding(bought.orderId)}>
                {t('seeOrder')}
              </ButtonLink>
            </>
          }
        />
      )}
    </Sheet>
  );
}

/** Explains why the user cannot buy, with a link to the screen where the user can change that, if there is one. */
export function Gate({ gate }: { gate: PurchaseObstacle }) {
  const t = useEarnWords();
  const shell = useWords('shell');
  const { pathname, search } = useLocation();
  const currentPath = pathname + search;
  const links = {
    needsLogin: [loginPathFor(currentPath), shell('login')],
    needsVerification: [pathWithReturn(paths.verify, currentPath), t('toVerification')],
    needsPassword: [pathWithReturn(paths.tradePassword, currentPath), t('toPassword')],
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
