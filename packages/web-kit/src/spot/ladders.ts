import type { DataOf } from '@exchange/wire/endpoint.ts';
import { cancelLadder, createLadder, ladderDetail } from '@exchange/wire/ladder.ts';
import { useMutation } from '@tanstack/react-query';
import { call, retryOnce } from '../api/client.ts';
import { refetchActive, useRead } from '../api/query-client.ts';
import { refetchBalances } from '../balance/balances.ts';
import type { KeyedSubmission } from '../form/keyed-submissions.ts';
import { useKeyedSubmit } from '../form/use-keyed-submit.ts';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import type { LadderPayload } from './ladder-form.ts';
import { useSpotUpdates } from './live.ts';
import { SPOT } from './shapes.ts';

/** API calls of scaled ladders. */

export type Ladder = DataOf<typeof ladderDetail>['ladder'];

/** A ladder with its orders, kept up to date. */
export function useLadder(id: string) {
  useSpotUpdates();
  return useRead({
    queryKey: SPOT.use('ladder', id),
    queryFn: ({ signal }) => call(ladderDetail, { id }, { signal }),
  });
}

interface PlacingOptions {
  readonly onDone: () => void;
  /** Shows a refusal at its field and returns true; other refusals are shown as a notification. */
  readonly refuse: (error: unknown) => boolean;
}

/** Places a ladder idempotently: pressing the button again after a lost answer places no second ladder. */
export function usePlaceLadder({ onDone, refuse }: PlacingOptions) {
  const t = useWords('ladder');
  return useKeyedSubmit({
    form: 'ladder',
    title: t('title'),
    send: async ({ payload, clientId }: KeyedSubmission<LadderPayload>) => {
      try {
        return await retryOnce((timeoutMs) => call(createLadder, payload, { clientId, timeoutMs }));
      } finally {
        refetchAlgoOrders();
      }
    },
    onAnswered: ({ orders }) => notify.success(t('placed', { count: orders.length })),
    onDone,
    refuse,
  });
}

/** Cancels all open orders of a ladder. */
export function useCancelLadder() {
  return useMutation({
    mutationFn: (id: string) => call(cancelLadder, { id }),
    onSettled: refetchAlgoOrders,
  });
}

/** Refetches displayed orders and balances after an algo order was placed or cancelled. */
export function refetchAlgoOrders(): void {
  refetchActive(SPOT.forCurrentUser());
  refetchBalances();
}
