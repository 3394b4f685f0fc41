import { FundView } from '@exchange/web-kit/fund/fund-view.tsx';
import { useFund } from '@exchange/web-kit/fund/queries.ts';
import { FundTicketForm } from '@exchange/web-kit/fund/ticket-form.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { useTitle } from '@exchange/web-kit/shell/use-title.tsx';
import { usePurchaseGate } from '@exchange/web-kit/user/purchase-gate.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import { Navigate, useNavigate, useSearchParams } from 'react-router';
import { Gate } from '../finance/purchase-dialog.tsx';
import screen from '../style/screen.module.css';

/**
 * Screen with the details of the fund whose id is the URL parameter `id`; redirects to the list of funds without an id.
 */
export default function FundDetailScreen() {
  const id = useSearchParams()[0].get('id') ?? '';
  return id === '' ? <Navigate to={paths.fund} replace /> : <Fund id={id} />;
}

function Fund({ id }: { readonly id: string }) {
  const t = useWords('fund');
  const finance = useWords('finance');
  const navigate = useNavigate();
  const { data, isPending, error, refetch } = useFund(id);
  useTitle(data?.name ?? t('title'));
  const { gate, demoPassword } = usePurchaseGate();
  return (
    <div className={screen.screen}>
      <ListBody
        isLoading={isPending}
        error={error}
        onRetry={() => void refetch()}
        missing={{ text: t('missing'), list: { name: t('toFunds'), path: paths.fund } }}
      >
        {data === undefined ? null : (
          <FundView
            fund={data}
            ticket={
              <FundTicketForm
                fund={data}
                gate={gate === undefined ? undefined : <Gate gate={gate} />}
                passwordHint={
                  demoPassword === undefined ? undefined : finance('demoPassword', { password: demoPassword })
                }
                onBought={() => void navigate(paths.fundRecord)}
              />
            }
          />
        )}
      </ListBody>
    </div>
  );
}
