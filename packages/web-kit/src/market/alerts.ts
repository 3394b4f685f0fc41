import { Decimal } from '@exchange/core/decimal.ts';
import type { AlertSource, CrossedWords } from '@exchange/core/price-alert.ts';
import { type Alert, addAlert, alertList, removeAlert } from '@exchange/wire/watchlist.ts';
import { useMutation } from '@tanstack/react-query';
import { call, retryOnce } from '../api/client.ts';
import { queryClient, useRead } from '../api/query-client.ts';
import { useTopic } from '../feed/feed.ts';
import { type Unanswered, useKeyedSubmit } from '../form/use-keyed-submit.ts';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { userKeys } from '../session/user-keys.ts';
import { useSession } from '../session/session-store.ts';
import { type AlertForm, type AlertPayload, type AlertSentence, alertPayload } from './alert-form.ts';
import { useIndexPrice } from './live.ts';
import type { MarketPair } from './pair.ts';

export type { Alert };

/** A request for a new price alert, with its idempotency key. */
export interface AlertRequest {
  readonly payload: AlertPayload;
  readonly clientId: string;
}

interface Alerts {
  readonly list: readonly Alert[];
  readonly limit: number;
}

const ALERTS = userKeys('alerts');
const NO_ALERTS: Alerts = { list: [], limit: 0 };

/**
 * The user's active price alerts (those that can still trigger), newest first; only those of the pair
 * `symbol` if it is given. Empty for visitors.
 */
export function useAlerts(symbol?: string) {
  const userId = useSession(({ session }) => session?.userId);
  // An alert with the channel inbox sends the user an inbox message when it triggers; each new inbox message
  // refetches the alerts.
  useTopic(userId === undefined ? undefined : 'notice', refetchAlerts);
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

/**
 * The prices, each once, at which alerts appear as lines on a chart: those of the conditions `gte` and `lte`. The
 * `price` of an alert with another condition is a percentage or zero, not a price.
 */
export function alertLevels(alerts: readonly Pick<Alert, 'condition' | 'price'>[]): readonly string[] {
  const levels = alerts.filter(({ condition }) => condition === 'gte' || condition === 'lte');
  return [...new Set(levels.map(({ price }) => price))];
}

/** Creates a price alert; if no response arrives, the request is repeated once with the same idempotency key. */
export function useAddAlert() {
  return useMutation({
    mutationFn: ({ payload, clientId }: AlertRequest): Promise<Alert> =>
      retryOnce((timeoutMs) => call(addAlert, payload, { clientId, timeoutMs })),
    onSettled: refetchAlerts,
  });
}

export function useRemoveAlert() {
  return useMutation({
    mutationFn: (id: string) => call(removeAlert, { id }),
    onSettled: refetchAlerts,
  });
}

/** Refetches the displayed price alerts of the user. */
export function refetchAlerts(): void {
  void queryClient.invalidateQueries({ queryKey: ALERTS.forCurrentUser() });
}

interface SetAlert {
  readonly save: (form: AlertForm) => Promise<boolean>;
  readonly isSaving: boolean;
  readonly unanswered: Unanswered | undefined;
}

interface SetAlertOptions {
  /** Called after the price alert was created, with the values of the form that created it. */
  readonly onSet: (set: AlertForm) => void;
  /** Shows a refusal at its form field; returns false if the refusal belongs to none of the fields. */
  readonly refuse?: (error: unknown) => boolean;
}

/**
 * Creates price alerts of a pair idempotently: when the user presses the button again after a missing response, the
 * same request is repeated.
 */
export function useSetAlert(pair: MarketPair, { onSet, refuse }: SetAlertOptions): SetAlert {
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

/**
 * Returns a function that returns the current price of a source that alerts can watch: the last price, or the index
 * price rounded to the pair's price decimals. The price is undefined until it is known.
 */
export function useWatchedPrice(
  { symbol, priceDigits }: Pick<MarketPair, 'priceDigits' | 'symbol'>,
  last: Decimal | undefined,
): (source: AlertSource) => Decimal | undefined {
  const index = useIndexPrice(symbol);
  return (source) =>
    source === 'last' ? last : Decimal.tryParse(index ?? '')?.rounded(priceDigits, 'halfEven');
}

/** Empty values for all placeholders of the texts about price alerts; each text uses some of these placeholders. */
const NO_VALUES = {
  pair: '',
  unit: '',
  price: '',
  percent: '',
  up: '',
  down: '',
  window: '',
  average: '',
  interval: '',
  amount: '',
  coin: '',
} as const;

/** Returns a function that translates a text about a price alert, given by its translation key and values. */
export function useAlertSentence(): (sentence: AlertSentence) => string {
  const t = useWords('alerts');
  return ({ key, values }) => t(key, { ...NO_VALUES, ...values });
}

/** The words in the user's language for values that an alert on a crossing compares. */
export function useCrossedWords(): CrossedWords {
  const t = useWords('alerts');
  return {
    close: t('crossed.close'),
    signal: t('crossed.signal'),
    upper: t('crossed.upper'),
    lower: t('crossed.lower'),
  };
}
