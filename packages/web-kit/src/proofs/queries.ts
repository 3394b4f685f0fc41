import type { DataOf } from '@exchange/wire/endpoint.ts';
import { inclusion, liabilities } from '@exchange/wire/proofs.ts';
import { stampFile, stamps } from '@exchange/wire/stamps.ts';
import { call } from '../api/client.ts';
import { useGrowingList } from '../api/list-state.tsx';
import { useRead } from '../api/query-client.ts';
import { userKeys } from '../session/user-keys.ts';

export type Snapshot = DataOf<typeof liabilities>['list'][number];
export type Stamp = DataOf<typeof stamps>['list'][number];
export type Inclusion = DataOf<typeof inclusion>;

const PROOFS = userKeys('proofs');
const FRESH_MS = 60_000;

/** All snapshots of the exchange's liabilities, newest first, loaded page by page. */
export function useSnapshots() {
  return useGrowingList<Snapshot>(['proofs', 'snapshots'], (page, signal) =>
    call(liabilities, page, { signal }),
  );
}

/** Time stamps of the exchange's statements by external calendar servers, newest first, loaded page by page. */
export function useStamps() {
  return useGrowingList<Stamp>(['proofs', 'stamps'], (page, signal) => call(stamps, page, { signal }));
}

/**
 * Resolves to the statement that was time-stamped for the hour that begins at `hour` (milliseconds UTC), with
 * the proof of its time stamp.
 */
export function loadStampFile(hour: number): Promise<DataOf<typeof stampFile>> {
  return call(stampFile, { hour });
}

/** The newest snapshot of the exchange's liabilities; null when there is none. */
export function useLatestSnapshot() {
  return useRead({
    queryKey: ['proofs', 'latest'],
    queryFn: async ({ signal }) => (await call(liabilities, { pageSize: 1 }, { signal })).list[0] ?? null,
    staleTime: FRESH_MS,
    refetchInterval: FRESH_MS,
  });
}

/**
 * The proof that the newest snapshot of liabilities includes the signed-in user's balance; `leaf` is absent
 * for a user without a balance.
 */
export function useInclusion() {
  return useRead({
    queryKey: PROOFS.use('inclusion'),
    queryFn: ({ signal }) => call(inclusion, {}, { signal }),
    staleTime: FRESH_MS,
  });
}
