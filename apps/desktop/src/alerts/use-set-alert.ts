import { CallFailed } from '@exchange/web-kit/api/call-error.ts';
import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { alertPayload, type AlertForm } from '@exchange/web-kit/market/alert-form.ts';
import { useAddAlert, type AlertRequest } from '@exchange/web-kit/market/alerts.ts';
import type { MarketPair } from '@exchange/web-kit/market/pair.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { useRef } from 'react';

/**
 * Sets alerts so that pressing again after a lost answer repeats the same one. `refuse` may put a refusal to
 * its field and says whether it did.
 */
export function useSetAlert(pair: MarketPair, onSet: () => void, refuse: (error: unknown) => boolean) {
  const t = useWords('alerts');
  const add = useAddAlert();
  const unanswered = useRef<AlertRequest | undefined>(undefined);

  const save = (form: AlertForm): void => {
    const payload = alertPayload(form, { pair });
    const isSame = JSON.stringify(unanswered.current?.payload) === JSON.stringify(payload);
    const request =
      isSame && unanswered.current !== undefined
        ? unanswered.current
        : { payload, clientId: crypto.randomUUID() };
    add.mutate(request, {
      onSuccess: () => {
        unanswered.current = undefined;
        notify.success(t('saved'));
        onSet();
      },
      onError: (error) => {
        unanswered.current = error instanceof CallFailed ? request : undefined;
        if (!refuse(error)) notify.failure(error);
      },
    });
  };
  return { save, isSaving: add.isPending };
}
