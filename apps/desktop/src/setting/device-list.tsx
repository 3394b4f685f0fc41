import { When } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { DataTable } from '@exchange/web-kit/ui/data-table.tsx';
import { Badge } from '@exchange/web-kit/ui/parts.tsx';
import { useRevokeSession } from '@exchange/web-kit/user/actions.ts';
import { RevokeOthers } from '@exchange/web-kit/user/revoke-others.tsx';
import { useSessions, type SignedInDevice } from '@exchange/web-kit/user/queries.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';

/** Where the account is signed in, and the way to end it elsewhere. */
export function DeviceList() {
  const t = useWords('settings');
  const sessions = useSessions();
  const rows = sessions.data ?? [];
  return (
    <ListBody
      isLoading={sessions.isPending}
      error={sessions.error}
      onRetry={() => void sessions.refetch()}
      isEmpty={rows.length === 0}
      empty={t('devicesNone')}
    >
      <DataTable
        caption={t('devices')}
        rows={rows}
        rowKey={({ id }) => id}
        columns={[
          { key: 'device', title: t('device'), cell: ({ device }) => device },
          { key: 'address', title: t('address'), cell: ({ address }) => address },
          { key: 'created', title: t('signedInAt'), cell: ({ createTime }) => <When at={createTime} /> },
          { key: 'last', title: t('lastActive'), cell: ({ lastTime }) => <When at={lastTime} /> },
          {
            key: 'action',
            title: <span className="visually-hidden">{t('revoke')}</span>,
            align: 'end',
            cell: (device) => <Revoke device={device} />,
          },
        ]}
      />
      <RevokeOthers count={rows.length - 1} />
    </ListBody>
  );
}

function Revoke({ device }: { readonly device: SignedInDevice }) {
  const t = useWords('settings');
  const revoke = useRevokeSession();
  if (device.current === 1) return <Badge tone="good">{t('current')}</Badge>;
  const press = (): void =>
    revoke.mutate(device.id, { onSuccess: () => notify.success(t('revoked')), onError: notify.failure });
  return (
    <Button
      look="quiet"
      size="s"
      busy={revoke.isPending}
      aria-label={`${t('revoke')}: ${device.device}, ${device.address}`}
      onClick={press}
    >
      {t('revoke')}
    </Button>
  );
}
