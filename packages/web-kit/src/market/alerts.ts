import { type Alert, addAlert, alertList, removeAlert } from '@exchange/wire/watchlist.ts';
import { useMutation } from '@tanstack/react-query';
import { call, onceMore } from '../api/client.ts';
import { queryClient, useRead } from '../api/query-client.ts';
import { useTopic } from '../feed/feed.ts';
import { type Unanswered, useKeyedSubmit } from '../form/use-keyed-submit.ts';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { ownKeys } from '../session/own-key.ts';
import { useSession } from '../session/session-store.ts';
import { type AlertForm, type AlertPayload, type AlertSentence, alertPayload } from './alert-form.ts';
import type { MarketPair } from './pair.ts';

export type { Alert };

/** An alert to be set, and the key under which a repetition is the same alert. */
export interface AlertRequest {
  readonly payload: AlertPayload;
  readonly clientId: string;
}

interface Alerts {
  readonly list: readonly Alert[];
  /** How many may watch at a time. */
  readonly limit: number;
}

const ALERTS = ownKeys('alerts');
const NO_ALERTS: Alerts = { list: [], limit: 0 };

/** The own alerts that still watch, newest first, of one pair when named; nothing for visitors. */
export function useAlerts(symbol?: string) {
  const userId = useSession(({ session }) => session?.userId);
  // An alert that fires rings the bell: what it left of itself is then asked for anew.
  useTopic(userId === undefined ? undefined : 'notice', askForAlerts);
  return useRead({
    queryKey: ALERTS.use(),
    queryFn: ({ signal }): Promise<Alerts> =>
      userId === undefined ? Promise.resolve(NO_ALERTS) : call(alertList, {}, { signal }),
    select: (alerts: Alerts): Alerts =>
      symbol === undefined
        ? alerts
        : { ...alerts, list: alerts.list.filter((alert) => alert.symbol === symbol) },
  });
}

/** Sets an alert. Where no answer came, it asks once more with the same key: the alert is then set once. */
export function useAddAlert() {
  return useMutation({
    mutationFn: ({ payload, clientId }: AlertRequest): Promise<Alert> =>
      onceMore((timeoutMs) => call(addAlert, payload, { clientId, timeoutMs })),
    onSettled: askForAlerts,
  });
}

/** Ends an alert by its id. */
export function useRemoveAlert() {
  return useMutation({
    mutationFn: (id: string) => call(removeAlert, { id }),
    onSettled: askForAlerts,
  });
}

/** Fetches the alerts on screen again. */
export function askForAlerts(): void {
  void queryClient.invalidateQueries({ queryKey: ALERTS.now() });
}

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
    title: t('title'),
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

/** What some sentence about alerts mentions; each mentions a part of it. */
const UNSAID = { pair: '', unit: '', price: '', percent: '', up: '', down: '' } as const;

/** Says a sentence about an alert in the language in use. */
export function useAlertSentence(): (sentence: AlertSentence) => string {
  const t = useWords('alerts');
  return ({ key, values }) => t(key, { ...UNSAID, ...values });
}
