import { useKeyedSubmit, type Unanswered } from '../form/use-keyed-submit.ts';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { alertPayload, type AlertForm } from './alert-form.ts';
import { useAddAlert, type AlertRequest } from './alerts.ts';
import type { MarketPair } from './pair.ts';

interface SetAlert {
  /** Sets the alert. Gives whether it was set. */
  readonly save: (form: AlertForm) => Promise<boolean>;
  readonly isSaving: boolean;
  readonly unanswered: Unanswered | undefined;
}

interface Listening {
  /** An alert of this form was set: what was typed for it may go. */
  readonly onSet: (set: AlertForm) => void;
  /** Puts a refusal to its field and says whether it did. */
  readonly refuse?: (error: unknown) => boolean;
}

/** Sets alerts of a pair so that pressing again after a lost answer repeats the same one. */
export function useSetAlert(pair: MarketPair, { onSet, refuse }: Listening): SetAlert {
  const t = useWords('alerts');
  const add = useAddAlert();
  const { submit, isBusy, unanswered } = useKeyedSubmit({
    form: `alert ${pair.symbol}`,
    send: ({ payload, clientId }: AlertRequest) => add.mutateAsync({ payload, clientId }),
    onAnswered: () => notify.success(t('saved')),
    onDone: (intent) => onSet(JSON.parse(intent) as AlertForm),
    ...(refuse === undefined ? {} : { refuse }),
  });
  return {
    save: (form) => submit(JSON.stringify(form), () => alertPayload(form, { pair })),
    isSaving: isBusy,
    unanswered,
  };
}
