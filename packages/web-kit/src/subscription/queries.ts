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
import { call, onceMore, type CallFields } from '../api/client.ts';
import { everyPage } from '../api/every-page.ts';
import { useGrowingList } from '../api/list-state.tsx';
import { askAnew, useRead } from '../api/query-client.ts';
import { askForBalances } from '../balance/balances.ts';
import { feed, receivesOwn } from '../feed/feed.ts';
import { joinedWhileShown } from '../feed/while-shown.ts';
import type { Attempt } from '../form/keyed-attempts.ts';
import { useLocale } from '../i18n/words.ts';
import { onRefresh } from '../refresh.ts';
import { ownKeys } from '../session/own-key.ts';
import { signedIn, useSession } from '../session/session-store.ts';

export type Project = DataOf<typeof projects>['list'][number];
export type ProjectDetail = DataOf<typeof projectDetail>;
export type Part = DataOf<typeof subscriptionRecords>['list'][number];

const KEYS = ownKeys('subscription');
const refetch = () => askAnew(KEYS.now());

/**
 * Keeps displayed queries up to date through the private feed; other users' commitments are picked up by the
 * refetch on every heartbeat.
 */
const useUpdates = joinedWhileShown(() => {
  const stops = [
    feed.subscribe('subscription', refetch),
    onRefresh(() => {
      if (signedIn() && receivesOwn('subscription')) askAnew(KEYS.now('projects'));
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

/** A project with its texts and files. */
export function useProject(id: string) {
  useUpdates();
  const locale = useLocale();
  return useRead({
    queryKey: KEYS.use('projects', 'one', id, locale),
    queryFn: ({ signal }) => call(projectDetail, { id }, { signal }),
  });
}

/** The user's commitments, newest first, loaded page by page. */
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
    askForBalances();
  }
}

/** Commits an amount. A repeated submission with the same key commits only once. */
export function commit({ payload, clientId }: Attempt<CallFields<typeof commitToProject>>) {
  return withRefetch(onceMore((timeoutMs) => call(commitToProject, payload, { clientId, timeoutMs })));
}

export function reduce({ payload, clientId }: Attempt<CallFields<typeof reduceCommitment>>) {
  return withRefetch(onceMore((timeoutMs) => call(reduceCommitment, payload, { clientId, timeoutMs })));
}

export function claim({ payload, clientId }: Attempt<CallFields<typeof claimTokens>>) {
  return withRefetch(onceMore((timeoutMs) => call(claimTokens, payload, { clientId, timeoutMs })));
}

/** The current state of one of the user's commitments. */
export function loadPart(id: string): Promise<Part> {
  return call(subscriptionRecordDetail, { id });
}

/** A public file of a sale as text. */
export function loadFile(id: string, fileKind: 'commitments' | 'result') {
  return call(subscriptionFile, { id, fileKind });
}
