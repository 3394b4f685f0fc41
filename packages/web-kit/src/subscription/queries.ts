import type { DataOf } from '@exchange/wire/endpoint.ts';
import {
  claimTokens,
  commitToProject,
  projectDetail,
  projects,
  reduceCommitment,
  subscriptionFile,
  subscriptionRecordDetail,
  subscriptionRecords,
} from '@exchange/wire/subscription.ts';
import { call, retryOnce, type CallFields } from '../api/client.ts';
import { everyPage } from '../api/every-page.ts';
import { useGrowingList } from '../api/list-state.tsx';
import { refetchActive, useRead } from '../api/query-client.ts';
import { refetchBalances } from '../balance/balances.ts';
import { feed, receivesPrivateTopic } from '../feed/feed.ts';
import { subscriptionWhileMounted } from '../feed/shared-subscription.ts';
import type { KeyedSubmission } from '../form/keyed-submissions.ts';
import { useLocale } from '../i18n/words.ts';
import { onRefresh } from '../refresh.ts';
import { userKeys } from '../session/user-keys.ts';
import { signedIn, useSession } from '../session/session-store.ts';

export type Project = DataOf<typeof projects>['list'][number];
export type ProjectDetail = DataOf<typeof projectDetail>;
export type Part = DataOf<typeof subscriptionRecords>['list'][number];

const KEYS = userKeys('subscription');
const refetch = () => refetchActive(KEYS.forCurrentUser());

/**
 * Keeps the displayed token sales up to date: they are refetched with each message of the private feed topic
 * `subscription`, and every five seconds because of other users' commitments. The user's own commitments are
 * refetched with each of these messages, and every five seconds only while the topic is not received.
 */
const useUpdates = subscriptionWhileMounted(() => {
  const stops = [
    feed.subscribe('subscription', refetch),
    onRefresh(() => {
      if (signedIn() && receivesPrivateTopic('subscription')) refetchActive(KEYS.forCurrentUser('projects'));
      else refetch();
    }),
  ];
  return () => stops.forEach((stop) => stop());
});

export function useProjects() {
  useUpdates();
  const locale = useLocale();
  return useRead({
    queryKey: KEYS.use('projects', locale),
    queryFn: ({ signal }): Promise<readonly Project[]> =>
      everyPage((page) => call(projects, page, { signal })),
  });
}

/** A token sale with its texts and files, in the interface language. */
export function useProject(id: string) {
  useUpdates();
  const locale = useLocale();
  return useRead({
    queryKey: KEYS.use('projects', 'one', id, locale),
    queryFn: ({ signal }) => call(projectDetail, { id }, { signal }),
  });
}

/** The user's commitments to token sales, newest first, loaded page by page. */
export function useParts() {
  useUpdates();
  const locale = useLocale();
  const isSignedIn = useSession(({ session }) => session !== null);
  return useGrowingList<Part>(
    KEYS.use('records', locale),
    (page, signal) => call(subscriptionRecords, page, { signal }),
    { enabled: isSignedIn },
  );
}

async function withRefetch<Answer>(submission: Promise<Answer>): Promise<Answer> {
  try {
    return await submission;
  } finally {
    refetch();
    refetchBalances();
  }
}

/**
 * Commits an amount to a token sale, or raises the user's commitment by it; the amount is frozen until the allocation.
 * Repeated requests with the same idempotency key commit it only once.
 */
export function commit({ payload, clientId }: KeyedSubmission<CallFields<typeof commitToProject>>) {
  return withRefetch(retryOnce((timeoutMs) => call(commitToProject, payload, { clientId, timeoutMs })));
}

export function lowerCommitment({ payload, clientId }: KeyedSubmission<CallFields<typeof reduceCommitment>>) {
  return withRefetch(retryOnce((timeoutMs) => call(reduceCommitment, payload, { clientId, timeoutMs })));
}

export function claimReleased({ payload, clientId }: KeyedSubmission<CallFields<typeof claimTokens>>) {
  return withRefetch(retryOnce((timeoutMs) => call(claimTokens, payload, { clientId, timeoutMs })));
}

/** Loads the current state of one of the user's commitments to a token sale. */
export function loadPart(id: string): Promise<Part> {
  return call(subscriptionRecordDetail, { id });
}

/** Loads a public file of a token sale: its JSON text `content`, and the hash `sha256` of that text. */
export function loadFile(id: string, fileKind: 'commitments' | 'result') {
  return call(subscriptionFile, { id, fileKind });
}
