import {
  createRecurring,
  endRecurring,
  pauseRecurring,
  recurringBuys,
  recurringPlans,
  resumeRecurring,
} from '@exchange/wire/recurring.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import { useMutation } from '@tanstack/react-query';
import { call, retryOnce } from '../api/client.ts';
import { useGrowingList } from '../api/list-state.tsx';
import { queryClient } from '../api/query-client.ts';
import { useTopic } from '../feed/feed.ts';
import { useKeyedSubmit } from '../form/use-keyed-submit.ts';
import type { KeyedSubmission } from '../form/keyed-submissions.ts';
import { useWords } from '../i18n/words.ts';
import { notify } from '../notify.ts';
import { userKeys } from '../session/user-keys.ts';
import { useSession } from '../session/session-store.ts';
import type { RecurringPayload } from './recurring-form.ts';

/** API calls of recurring buys. */

export type RecurringPlan = DataOf<typeof recurringPlans>['list'][number];
export type RecurringBuy = DataOf<typeof recurringBuys>['list'][number];

const RECURRING = userKeys('recurring');

/**
 * The user's plans of recurring buys, newest first: the ended ones if `hasEnded` is true, otherwise those that have not
 * ended.
 */
export function usePlans(hasEnded: boolean) {
  const isSignedIn = useSession(({ session }) => session !== null);
  // Each execution of a recurring plan sends the user an inbox message, so every message of the feed topic `notice`
  // refetches the plans.
  useTopic(isSignedIn ? 'notice' : undefined, refetchRecurring);
  return useGrowingList<RecurringPlan>(
    RECURRING.use('plans', hasEnded),
    (page, signal) => call(recurringPlans, { ...page, ended: hasEnded ? '1' : '0' }, { signal }),
    { enabled: isSignedIn },
  );
}

/** The executed buys of all the user's recurring plans, newest first, including buys in which coins were skipped. */
export function useRecurringBuys() {
  const isSignedIn = useSession(({ session }) => session !== null);
  return useGrowingList<RecurringBuy>(
    RECURRING.use('buys'),
    (page, signal) => call(recurringBuys, page, { signal }),
    { enabled: isSignedIn, finalRowId: ({ id }) => id },
  );
}

/** Creates a recurring buy. If no response arrives and the user presses the button again, no second plan is created. */
export function useCreatePlan({
  onDone,
  refuse,
}: {
  readonly onDone: (intent: string) => void;
  readonly refuse: (error: unknown) => boolean;
}) {
  const t = useWords('recurring');
  return useKeyedSubmit({
    form: 'recurring',
    title: t('title'),
    send: async ({ payload, clientId }: KeyedSubmission<RecurringPayload>) => {
      try {
        return await retryOnce((timeoutMs) => call(createRecurring, payload, { clientId, timeoutMs }));
      } finally {
        refetchRecurring();
      }
    },
    onAnswered: () => notify.success(t('created')),
    onDone,
    refuse,
  });
}

const CHANGES = {
  pause: pauseRecurring,
  resume: resumeRecurring,
  end: endRecurring,
} as const;
export type PlanChange = keyof typeof CHANGES;

/** Pauses, resumes or ends one of the user's plans of recurring buys. */
export function useChangePlan() {
  return useMutation({
    mutationFn: ({ id, change }: { readonly id: string; readonly change: PlanChange }) =>
      call(CHANGES[change], { id }),
    onSettled: refetchRecurring,
  });
}

function refetchRecurring(): void {
  void queryClient.invalidateQueries({ queryKey: RECURRING.forCurrentUser() });
}
