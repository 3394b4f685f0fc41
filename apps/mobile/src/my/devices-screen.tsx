import { ListEnd } from '@exchange/web-kit/api/list-state.tsx';
import { When } from '@exchange/web-kit/format/numbers.tsx';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { ListBody } from '@exchange/web-kit/list/list-body.tsx';
import { notify } from '@exchange/web-kit/notify.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { Badge, EmptyState } from '@exchange/web-kit/ui/parts.tsx';
import { useRevokeSession } from '@exchange/web-kit/user/actions.ts';
import { type SignedInDevice, useLoginRecords, useSessions } from '@exchange/web-kit/user/queries.ts';
import { RevokeOthers } from '@exchange/web-kit/user/revoke-others.tsx';
import { paths } from '@exchange/web-kit/paths.ts';
import { Screen } from '../shell/screen.tsx';
import css from './my.module.css';

/** Screen with the user's active sessions and the history of logins. */
export default function DevicesScreen() {
  const t = useWords('settings');
  const sessions = useSessions();
  return (
    <Screen title={t('devices')} parent={paths.security}>
      <div data-in-order>
        <p className={css.messageText}>{t('devicesText')}</p>
        <ListBody
          look="cards"
          isLoading={sessions.isPending}
          error={sessions.error}
          onRetry={() => void sessions.refetch()}
        >
          {sessions.data?.map((device) => (
            <Device key={device.id} device={device} />
          ))}
          <RevokeOthers count={(sessions.data?.length ?? 0) - 1} />
        </ListBody>
        <h2 className={css.heading}>{t('loginHistory')}</h2>
        <History />
      </div>
    </Screen>
  );
}

function Device({ device }: { device: SignedInDevice }) {
  const t = useWords('settings');
  const revoke = useRevokeSession();
  const revokeSession = async () => {
    try {
      await revoke.mutateAsync(device.id);
      notify.success(t('revoked'));
    } catch (error) {
      // Ending the session was refused, or the request failed. The notification says why, and the list shows whether
      // the session is still active.
      notify.failure(error);
    }
  };
  return (
    <div className={css.device}>
      <div>
        <b>{device.device}</b>
        {device.method === 'passkey' ? <Badge tone="neutral">{t('byPasskey')}</Badge> : null}
        <p>{device.address}</p>
        <p>
          {t('lastActive')} <When at={device.lastTime} />
        </p>
      </div>
      {device.current === 1 ? (
        <Badge tone="accent">{t('current')}</Badge>
      ) : (
        <Button look="secondary" size="s" busy={revoke.isPending} onClick={() => void revokeSession()}>
          {t('revoke')}
        </Button>
      )}
    </div>
  );
}

function History() {
  const t = useWords('settings');
  const list = useLoginRecords();
  return (
    <ListBody
      look="cards"
      isLoading={list.isLoading}
      error={list.error}
      onRetry={() => void list.reload()}
      skeletonRows={3}
    >
      {list.rows.length === 0 ? <EmptyState text={t('loginHistoryNone')} /> : null}
      {list.rows.map((record) => (
        <div key={record.id} className={css.device}>
          <div>
            <b>{record.device}</b>
            {record.method === 'passkey' ? <Badge tone="neutral">{t('byPasskey')}</Badge> : null}
            <p>{record.address}</p>
          </div>
          <div className={css.outcome}>
            <Badge tone={record.kind === 'signInFailed' ? 'bad' : 'good'}>
              {t(record.kind === 'signInFailed' ? 'loginFailed' : 'loginRight')}
            </Badge>
            <When at={record.createTime} className={css.messageTime} />
          </div>
        </div>
      ))}
      <ListEnd list={list} auto showsEnd />
    </ListBody>
  );
}
