import type { DataOf } from '@exchange/wire/endpoint.ts';
import { algoOrders } from '@exchange/wire/twap.ts';
import { useMutation } from '@tanstack/react-query';
import { call, retryOnce, type CallOptions } from '../api/client.ts';
import { useGrowingList } from '../api/list-state.tsx';
import { refetchActive } from '../api/query-client.ts';
import { refetchBalances } from '../balance/balances.ts';
import type { KeyedSubmission } from '../form/keyed-submissions.ts';
import { useKeyedSubmit } from '../form/use-keyed-submit.ts';
import { useSession } from '../session/session-store.ts';
import { useSpotUpdates } from './live.ts';
import { SPOT } from '../market/spot-keys.ts';

/** API calls that all kinds of algo orders share. */

type AlgoOrder = DataOf<typeof algoOrders>['list'][number];

/** The user's algo orders, newest first: either the ended ones or the others; kept up to date. */
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
  /** Shows a refusal at its field and returns true; other refusals are shown as a notification. */
  readonly refuse: (error: unknown) => boolean;
}

interface Placing<Payload, Answer> extends PlacingOptions {
  readonly form: string;
  readonly title: string;
  readonly send: (payload: Payload, options: CallOptions) => Promise<Answer>;
  readonly onAnswered: (answer: Answer) => void;
}

/** Places an algo order idempotently: pressing the button again after a lost answer places no second one. */
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

/** Ends an algo order by its id. */
export function useCancelAlgo(cancel: (id: string) => Promise<{ readonly count: number }>) {
  return useMutation({ mutationFn: cancel, onSettled: refetchAlgoOrders });
}

/** Refetches displayed orders and balances after an algo order was placed or cancelled. */
function refetchAlgoOrders(): void {
  refetchActive(SPOT.forCurrentUser());
  refetchBalances();
}
