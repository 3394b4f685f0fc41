import { addAlert, alertList, removeAlert, type Alert } from '@exchange/wire/watchlist.ts';
import { useMutation } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { onceMore } from '../api/once-more.ts';
import { queryClient } from '../api/query-client.ts';
import { useRead } from '../api/read.ts';
import { useTopic } from '../feed/use-topic.ts';
import { ownKeys } from '../session/own-key.ts';
import { useSession } from '../session/session-store.ts';
import type { AlertPayload } from './alert-form.ts';

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

function askForAlerts(): void {
  void queryClient.invalidateQueries({ queryKey: ALERTS.now() });
}
