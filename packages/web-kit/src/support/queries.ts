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
  /** Email address of a visitor; signed-in users omit it, and get the reply at their account's address. */
  readonly email?: string;
}

const SUPPORT = userKeys('support');

/**
 * URL of the chat; empty if there is no chat. If the server has a key for the chat, the URL of a signed-in user is
 * signed and valid for five minutes, so the URL is fetched each time that the chat is opened.
 */
export function useChat() {
  return useRead({
    queryKey: SUPPORT.use('chat'),
    queryFn: async ({ signal }) => (await call(supportChat, {}, { signal })).url,
    staleTime: 0,
    // The URL is not cached after the chat is closed, because it may have expired when the chat is opened again.
    gcTime: 0,
  });
}

/** The user's previous requests to customer service, newest first. */
export function useSupportRequests() {
  const isSignedIn = useSession(({ session }) => session !== null);
  return useGrowingList<SupportRow>(
    SUPPORT.use('requests'),
    (page, signal) => call(supportRequests, page, { signal }),
    { enabled: isSignedIn },
  );
}

/** The messages of one of the user's requests to customer service. */
export function useSupportThread(id: string) {
  return useRead({
    queryKey: SUPPORT.use('requests', 'thread', id),
    queryFn: ({ signal }) => call(supportThread, { id }, { signal }),
  });
}

/** Adds a message to a request. Repeated calls with the same idempotency key add it only once. */
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

/** Sends a request to customer service. Repeated calls with the same idempotency key send it only once. */
export async function sendQuestion({ clientId, payload }: KeyedSubmission<Question>): Promise<void> {
  await call(askSupport, payload, { clientId });
  refetchActive(SUPPORT.forCurrentUser('requests'));
}
