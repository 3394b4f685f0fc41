import type { DataOf } from '@exchange/wire/endpoint.ts';
import { algoOrders, cancelTwap, createTwap, twapDetail } from '@exchange/wire/twap.ts';
import { useMutation } from '@tanstack/react-query';
import { call, retryOnce } from '../api/client.ts';
import { useGrowingList } from '../api/list-state.tsx';
import { useRead } from '../api/query-client.ts';
import type { KeyedSubmission } from '../form/keyed-submissions.ts';
import { useKeyedSubmit } from '../form/use-keyed-submit.ts';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { useSession } from '../session/session-store.ts';
import { refetchAlgoOrders } from './ladders.ts';
import { useSpotUpdates } from './live.ts';
import { SPOT } from './shapes.ts';
import type { TwapPayload } from './twap-form.ts';

/** API calls of TWAP orders, and the list of all algo orders. */

type AlgoOrder = DataOf<typeof algoOrders>['list'][number];
export type Twap = DataOf<typeof twapDetail>['twap'];

/** The user's TWAP orders and ladders, newest first: either the ended ones or the others; kept up to date. */
export function useAlgoOrders(hasEnded: boolean) {
  const isSignedIn = useSession(({ session }) => session !== null);
  useSpotUpdates();
  return useGrowingList<AlgoOrder>(
    SPOT.use('algo', hasEnded),
    (page, signal) => call(algoOrders, { ...page, ended: hasEnded ? '1' : '0' }, { signal }),
    { enabled: isSignedIn },
  );
}

/** A TWAP order with its placed children, kept up to date. */
export function useTwap(id: string) {
  useSpotUpdates();
  return useRead({
    queryKey: SPOT.use('twap', id),
    queryFn: ({ signal }) => call(twapDetail, { id }, { signal }),
  });
}

interface StartingOptions {
  readonly onDone: () => void;
  /** Shows a refusal at its field and returns true; other refusals are shown as a notification. */
  readonly refuse: (error: unknown) => boolean;
}

/** Starts a TWAP order idempotently: pressing the button again after a lost answer starts no second one. */
export function useStartTwap({ onDone, refuse }: StartingOptions) {
  const t = useWords('algo');
  return useKeyedSubmit({
    form: 'twap',
    title: t('title'),
    send: async ({ payload, clientId }: KeyedSubmission<TwapPayload>) => {
      try {
        return await retryOnce((timeoutMs) => call(createTwap, payload, { clientId, timeoutMs }));
      } finally {
        refetchAlgoOrders();
      }
    },
    onAnswered: () => notify.success(t('started')),
    onDone,
    refuse,
  });
}

/** Ends a TWAP order. */
export function useCancelTwap() {
  return useMutation({
    mutationFn: (id: string) => call(cancelTwap, { id }),
    onSettled: refetchAlgoOrders,
  });
}
