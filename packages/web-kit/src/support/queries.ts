import type { DataOf } from '@exchange/wire/endpoint.ts';
import { askSupport, supportChat, supportRequests } from '@exchange/wire/support.ts';
import type { SupportTopic } from '@exchange/core/support.ts';
import { call } from '../api/client.ts';
import { useGrowingList } from '../api/list-state.tsx';
import { askAnew, useRead } from '../api/query-client.ts';
import type { Attempt } from '../form/keyed-attempts.ts';
import { ownKeys } from '../session/own-key.ts';
import { useSession } from '../session/session-store.ts';

export type SupportRow = DataOf<typeof supportRequests>['list'][number];

export interface Question {
  readonly topic: SupportTopic;
  readonly content: string;
  /** A visitor's; the account's own is used otherwise. */
  readonly email?: string;
}

const SUPPORT = ownKeys('support');

/** The chat's address for whoever is here now: another one after every login. */
export function useChat() {
  return useRead({
    queryKey: SUPPORT.use('chat'),
    queryFn: async ({ signal }) => (await call(supportChat, {}, { signal })).url,
    staleTime: 0,
  });
}

/** What one has written, newest first. */
export function useSupportRequests() {
  const isSignedIn = useSession(({ session }) => session !== null);
  return useGrowingList<SupportRow>(
    SUPPORT.use('requests'),
    (page, signal) => call(supportRequests, page, { signal }),
    { enabled: isSignedIn },
  );
}

/** Sends a message to customer service, once under its key. */
export async function sendQuestion({ clientId, payload }: Attempt<Question>): Promise<void> {
  await call(askSupport, payload, { clientId });
  askAnew(SUPPORT.now('requests'));
}
