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

/** All snapshots of the proof of liabilities, newest first, loaded page by page. */
export function useSnapshots() {
  return useGrowingList<Snapshot>(['proofs', 'snapshots'], (page, signal) =>
    call(liabilities, page, { signal }),
  );
}

/** Time stamps from outside the exchange, newest first, loaded page by page. */
export function useStamps() {
  return useGrowingList<Stamp>(['proofs', 'stamps'], (page, signal) => call(stamps, page, { signal }));
}

/** The stamped statement of the hour that begins at `hour` (milliseconds UTC), with its proof. */
export function loadStampFile(hour: number): Promise<DataOf<typeof stampFile>> {
  return call(stampFile, { hour });
}

/** The newest snapshot of the proof of liabilities; null when there is none. */
export function useLatestSnapshot() {
  return useRead({
    queryKey: ['proofs', 'latest'],
    queryFn: async ({ signal }) => (await call(liabilities, { pageSize: 1 }, { signal })).list[0] ?? null,
    staleTime: FRESH_MS,
    refetchInterval: FRESH_MS,
  });
}

/** The signed-in user's proof of inclusion in the newest snapshot of liabilities. */
export function useInclusion() {
  return useRead({
    queryKey: PROOFS.use('inclusion'),
    queryFn: ({ signal }) => call(inclusion, {}, { signal }),
    staleTime: FRESH_MS,
  });
}
