import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { ProjectView } from '@exchange/web-kit/subscription/project-view.tsx';
import { useProject } from '@exchange/web-kit/subscription/queries.ts';
import { usePurchaseGate } from '@exchange/web-kit/user/purchase-gate.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import { Navigate, useSearchParams } from 'react-router';
import { Gate } from '../finance/purchase-sheet.tsx';
import { Screen } from '../shell/screen.tsx';

/**
 * Screen with the details of the token sale whose id is the URL parameter `id`; redirects to the list of sales without
 * an id.
 */
export default function SubscriptionDetailScreen() {
  const id = useSearchParams()[0].get('id') ?? '';
  return id === '' ? <Navigate to={paths.subscribe} replace /> : <ProjectScreen id={id} />;
}

function ProjectScreen({ id }: { readonly id: string }) {
  const t = useWords('subscription');
  const finance = useWords('finance');
  const { data, isPending, error, refetch } = useProject(id);
  const { gate, demoPassword } = usePurchaseGate();
  return (
    <Screen title={data?.name ?? t('title')} parent={paths.subscribe}>
      <ListBody
        isLoading={isPending}
        error={error}
        onRetry={() => void refetch()}
        missing={{ text: t('missing'), list: { name: t('toProjects'), path: paths.subscribe } }}
      >
        {data === undefined ? null : (
          <ProjectView
            project={data}
            gate={gate === undefined ? undefined : <Gate gate={gate} />}
            passwordHint={
              demoPassword === undefined ? undefined : finance('demoPassword', { password: demoPassword })
            }
          />
        )}
      </ListBody>
    </Screen>
  );
}
