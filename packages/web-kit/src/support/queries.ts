import type { DataOf } from '@exchange/wire/endpoint.ts';
import {
  askSupport,
  replySupport,
  supportChat,
  supportRequests,
  supportThread,
} from '@exchange/wire/support.ts';
import type { SupportTopic } from '@exchange/core/support.ts';
import { call, type CallFields } from '../api/client.ts';
import { useGrowingList } from '../api/list-state.tsx';
import { refetchActive, useRead } from '../api/query-client.ts';
import type { KeyedSubmission } from '../form/keyed-submissions.ts';
import { userKeys } from '../session/user-keys.ts';
import { useSession } from '../session/session-store.ts';

export type SupportRow = DataOf<typeof supportRequests>['list'][number];

export interface Question {
  readonly topic: SupportTopic;
  readonly content: string;
  /** A visitor's address; signed-in users are answered at their account's address. */
  readonly email?: string;
}

const SUPPORT = userKeys('support');

/**
 * The chat URL, empty without a chat; that of a signed-in user is signed for five minutes, so it is fetched at each
 * opening.
 */
export function useChat() {
  return useRead({
    queryKey: SUPPORT.use('chat'),
    queryFn: async ({ signal }) => (await call(supportChat, {}, { signal })).url,
    staleTime: 0,
    // A URL that was fetched for an earlier opening may have expired.
    gcTime: 0,
  });
}

/** The user's previous requests, newest first. */
export function useSupportRequests() {
  const isSignedIn = useSession(({ session }) => session !== null);
  return useGrowingList<SupportRow>(
    SUPPORT.use('requests'),
    (page, signal) => call(supportRequests, page, { signal }),
    { enabled: isSignedIn },
  );
}

/** The conversation about one of the user's requests, fetched while it is shown. */
export function useSupportThread(id: string) {
  return useRead({
    queryKey: SUPPORT.use('requests', 'thread', id),
    queryFn: ({ signal }) => call(supportThread, { id }, { signal }),
  });
}

/** Adds a message to a request. Repeating the call with the same key adds it only once. */
export async function sendReply({
  clientId,
  payload,
}: KeyedSubmission<CallFields<typeof replySupport>>): Promise<void> {
  try {
    await call(replySupport, payload, { clientId });
  } finally {
    refetchActive(SUPPORT.forCurrentUser('requests'));
  }
}

/** Sends a request to customer service. Repeating the call with the same key sends it only once. */
export async function sendQuestion({ clientId, payload }: KeyedSubmission<Question>): Promise<void> {
  await call(askSupport, payload, { clientId });
  refetchActive(SUPPORT.forCurrentUser('requests'));
}
