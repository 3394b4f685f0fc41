import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { Button } from '../ui/button.tsx';
import { useRevokeOtherSessions } from './actions.ts';
import css from './security.module.css';

/** Button that ends all other sessions of the user; renders nothing if there is none. */
export function RevokeOthers({ count }: { readonly count: number }) {
  const t = useWords('settings');
  const revoke = useRevokeOtherSessions();
  if (count < 1) return null;
  const revokeAll = (): void =>
    revoke.mutate(undefined, {
      onSuccess: (ended) => notify.success(t('othersRevoked', { count: ended })),
      onError: notify.failure,
    });
  return (
    <div className={css.others}>
      <Button look="secondary" size="s" busy={revoke.isPending} onClick={revokeAll}>
        {t('revokeOthers')}
      </Button>
    </div>
  );
}
