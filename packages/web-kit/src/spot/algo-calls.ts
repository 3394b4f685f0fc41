import type { DataOf } from '@exchange/wire/endpoint.ts';
import { algoOrders } from '@exchange/wire/twap.ts';
import { useMutation } from '@tanstack/react-query';
import { call, retryOnce, type CallOptions } from '../api/client.ts';
import { useGrowingList } from '../api/list-state.tsx';
import { refetchActive } from '../api/query-client.ts';
import { refetchBalances } from '../balance/balances.ts';
import type { KeyedSubmission } from '../form/keyed-submissions.ts';
import { useKeyedSubmit } from '../form/use-keyed-submit.ts';
import { notify } from '../notify.ts';
import { useSession } from '../session/session-store.ts';
import { useSpotUpdates } from './live.ts';
import { SPOT } from '../market/spot-keys.ts';

/** An algo order of any kind, as the list of algo orders contains it. */
type AlgoOrder = DataOf<typeof algoOrders>['list'][number];

/**
 * The user's algo orders, newest first: the ended ones if `hasEnded` is true, otherwise those that have not ended;
 * refetched when the private feed reports a change.
 */
export function useAlgoOrders(hasEnded: boolean) {
  const isSignedIn = useSession(({ session }) => session !== null);
  useSpotUpdates();
  return useGrowingList<AlgoOrder>(
    SPOT.use('algo', hasEnded),
    (page, signal) => call(algoOrders, { ...page, ended: hasEnded ? '1' : '0' }, { signal }),
    { enabled: isSignedIn },
  );
}

export interface PlacingOptions {
  readonly onDone: () => void;
  /**
   * Shows a refusal at the form field that it names and returns true. If it names no field of the form, returns false,
   * and the caller shows it in a notification.
   */
  readonly refuse: (error: unknown) => boolean;
}

interface Placing<Payload, Answer> extends PlacingOptions {
  readonly form: string;
  readonly title: string;
  readonly send: (payload: Payload, options: CallOptions) => Promise<Answer>;
  readonly onAnswered: (answer: Answer) => void;
}

/**
 * Places an algo order idempotently: when the user presses the button again after a missing response, no second order
 * is placed.
 */
export function usePlaceAlgo<Payload, Answer>({ send, ...options }: Placing<Payload, Answer>) {
  return useKeyedSubmit({
    ...options,
    send: async ({ payload, clientId }: KeyedSubmission<Payload>) => {
      try {
        return await retryOnce((timeoutMs) => send(payload, { clientId, timeoutMs }));
      } finally {
        refetchAlgoOrders();
      }
    },
  });
}

/**
 * Cancels an algo order. `cancel` receives the order's ID, or for a grid an object that also says whether its coins are
 * sold. A failure is shown in a notification.
 */
export function useCancelAlgo<Answer, Named = string>(cancel: (named: Named) => Promise<Answer>) {
  return useMutation({ mutationFn: cancel, onError: notify.failure, onSettled: refetchAlgoOrders });
}

/**
 * Refetches the displayed orders, algo orders, fills and fee tier, and the balances; called after a request
 * that placed or cancelled an algo order.
 */
function refetchAlgoOrders(): void {
  refetchActive(SPOT.forCurrentUser());
  refetchBalances();
}
