import { FundView } from '@exchange/web-kit/fund/fund-view.tsx';
import { type FundDetail, useFund } from '@exchange/web-kit/fund/queries.ts';
import { FundTicketForm } from '@exchange/web-kit/fund/ticket-form.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { Sheet } from '@exchange/web-kit/ui/overlay.tsx';
import { usePurchaseGate } from '@exchange/web-kit/user/purchase-gate.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import { useState } from 'react';
import { Navigate, useNavigate, useSearchParams } from 'react-router';
import { Gate } from '../finance/purchase-sheet.tsx';
import { Screen } from '../shell/screen.tsx';
import css from './fund.module.css';

/**
 * Screen with the details of the fund whose id is the URL parameter `id`; redirects to the list of funds without an id.
 */
export default function FundDetailScreen() {
  const id = useSearchParams()[0].get('id') ?? '';
  return id === '' ? <Navigate to={paths.fund} replace /> : <FundScreen id={id} />;
}

/** Screen of a fund; the ticket with which the user buys it opens in a bottom sheet. */
function FundScreen({ id }: { readonly id: string }) {
  const t = useWords('fund');
  const { data, isPending, error, refetch } = useFund(id);
  const [isBuying, setBuying] = useState(false);
  return (
    <Screen title={data?.name ?? t('title')} parent={paths.fund}>
      <ListBody
        isLoading={isPending}
        error={error}
        onRetry={() => void refetch()}
        missing={{ text: t('missing'), list: { name: t('toFunds'), path: paths.fund } }}
      >
        {data === undefined ? null : (
          <>
            <FundView fund={data} />
            {data.status === 1 ? (
              <div className={css.buyBar}>
                <Button wide size="l" onClick={() => setBuying(true)}>
                  {t('buy')}
                </Button>
              </div>
            ) : null}
            {isBuying ? <BuySheet fund={data} onClose={() => setBuying(false)} /> : null}
          </>
        )}
      </ListBody>
    </Screen>
  );
}

function BuySheet({ fund, onClose }: { readonly fund: FundDetail; readonly onClose: () => void }) {
  const t = useWords('fund');
  const shell = useWords('shell');
  const finance = useWords('finance');
  const navigate = useNavigate();
  const { gate, demoPassword } = usePurchaseGate();
  return (
    <Sheet isOpen onClose={onClose} title={t('buyTitle', { name: fund.name })} closeLabel={shell('close')}>
      <FundTicketForm
        fund={fund}
        gate={gate === undefined ? undefined : <Gate gate={gate} />}
        passwordHint={
          demoPassword === undefined ? undefined : finance('demoPassword', { password: demoPassword })
        }
        onBought={() => void navigate(paths.fundRecord)}
      />
    </Sheet>
  );
}
