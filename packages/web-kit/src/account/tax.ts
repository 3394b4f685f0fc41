import type { DataOf, FieldsOf } from '@exchange/wire/endpoint.ts';
import {
  exportTax,
  removeTaxCost,
  setTaxCost,
  setTaxZone,
  taxArrivals,
  taxDisposals,
  taxLots,
  taxStatement,
  taxYear,
} from '@exchange/wire/tax.ts';
import type { TaxMethod } from '@exchange/core/tax.ts';
import { useMutation } from '@tanstack/react-query';
import { downloadFile } from './export.ts';
import { call } from '../api/client.ts';
import { useGrowingList } from '../api/list-state.tsx';
import { queryClient, useRead } from '../api/query-client.ts';
import { TOTAL_ASSETS_KEYS } from '../balance/balances.ts';
import { saveFile } from '../save-file.ts';
import { sessionSignal, useSession } from '../session/session-store.ts';
import { userKeys } from '../session/user-keys.ts';

/** Types and hooks for the API calls of the tax report. */

export type TaxYear = DataOf<typeof taxYear>;
export type CoinYear = TaxYear['coins'][number];
export type TaxSectionRow = TaxYear['sections'][number];
export type TaxDisposal = DataOf<typeof taxDisposals>['list'][number];
export type TaxLot = DataOf<typeof taxLots>['list'][number];
export type TaxArrival = DataOf<typeof taxArrivals>['list'][number];
export type TaxFile = FieldsOf<typeof exportTax>['report'] | 'statement';

/** The year and the method of the tax report that a user has selected. */
export interface TaxChoice {
  /** The selected year; undefined for the current year in the time zone of the user's tax years. */
  readonly year: number | undefined;
  readonly method: TaxMethod;
}

const TAX = userKeys('tax');
/** Milliseconds after which the tax report is requested again while the server is still computing it. */
const COMPUTING_MS = 2_000;

function useIsSignedIn(): boolean {
  return useSession(({ session }) => session !== null);
}

/**
 * Fetches the user's tax report of a calendar year in the time zone of the user's tax years. While the server
 * computes it, it is requested again every `COMPUTING_MS` milliseconds. Nothing is fetched for visitors.
 */
export function useTaxYear({ year, method }: TaxChoice) {
  return useRead<TaxYear>({
    queryKey: TAX.use('year', year ?? '', method),
    queryFn: ({ signal }) =>
      call(taxYear, year === undefined ? { method } : { year: String(year), method }, { signal }),
    enabled: useIsSignedIn(),
    refetchInterval: ({ state }) => (state.data?.status === 'computing' ? COMPUTING_MS : false),
  });
}

/** Fetches the user's disposals of a tax year (see `useTaxYear`), newest first, page by page. */
export function useTaxDisposals(year: number, method: TaxMethod) {
  return useGrowingList<TaxDisposal>(
    TAX.use('disposals', year, method),
    (page, signal) => call(taxDisposals, { ...page, year: String(year), method }, { signal }),
    { enabled: useIsSignedIn() },
  );
}

/** Fetches the lots from which a disposal's coins came, newest first. */
export function useTaxLots(id: string) {
  return useGrowingList<TaxLot>(
    TAX.use('lots', id),
    (page, signal) => call(taxLots, { ...page, eventId: id }, { signal }),
    { enabled: useIsSignedIn() },
  );
}

/** Fetches the transfers of coins to the user whose cost the exchange does not know, newest first. */
export function useTaxArrivals() {
  return useGrowingList<TaxArrival>(
    TAX.use('arrivals'),
    (page, signal) => call(taxArrivals, page, { signal }),
    { enabled: useIsSignedIn() },
  );
}

/**
 * Hook that stores the cost that the user enters for transferred coins, or removes it if `cost` is undefined.
 */
export function useTaxCost() {
  return useMutation({
    mutationFn: ({ id, cost, acquireTime }: { id: string; cost?: string; acquireTime?: number }) =>
      cost === undefined
        ? call(removeTaxCost, { eventId: id })
        : call(setTaxCost, { eventId: id, cost, acquireTime: String(acquireTime) }),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: TAX.forCurrentUser() });
      void queryClient.invalidateQueries({ queryKey: TOTAL_ASSETS_KEYS.forCurrentUser() });
    },
  });
}

/** Hook that changes the time zone in which the user's tax years begin and end; the server stores it. */
export function useTaxZone() {
  return useMutation({
    mutationFn: (timeZone: string) => call(setTaxZone, { timeZone }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: TAX.forCurrentUser() }),
  });
}

/**
 * Hook that downloads a tax file of a year and saves it. The mutation resolves to the name of the saved file.
 */
export function useTaxFile() {
  return useMutation({
    mutationFn: async ({ year, method, file }: { year: number; method: TaxMethod; file: TaxFile }) => {
      const fields = { year: String(year), method };
      const loading = { signal: sessionSignal() };
      const loaded =
        file === 'statement'
          ? await downloadFile(taxStatement, fields, `tax-statement-${year}.pdf`, loading)
          : await downloadFile(exportTax, { ...fields, report: file }, `tax-${file}-${year}.csv`, loading);
      saveFile(loaded.file, loaded.name);
      return loaded.name;
    },
  });
}
