import type { DataOf, FieldsOf } from '@exchange/wire/endpoint.ts';
import {
  exportTax,
  removeTaxCost,
  setTaxCost,
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

/** API calls of tax years. */

export type TaxYear = DataOf<typeof taxYear>;
export type CoinYear = TaxYear['coins'][number];
export type TaxSectionRow = TaxYear['sections'][number];
export type TaxDisposal = DataOf<typeof taxDisposals>['list'][number];
export type TaxLot = DataOf<typeof taxLots>['list'][number];
export type TaxArrival = DataOf<typeof taxArrivals>['list'][number];
export type TaxFile = FieldsOf<typeof exportTax>['report'] | 'statement';

/** The year and the method that a user has chosen. */
export interface TaxChoice {
  /** Undefined for the current year (UTC). */
  readonly year: number | undefined;
  readonly method: TaxMethod;
}

const TAX = userKeys('tax');
/** Milliseconds after which a report is requested again while the server computes it. */
const COMPUTING_MS = 2_000;

function useIsSignedIn(): boolean {
  return useSession(({ session }) => session !== null);
}

/** The user's tax report of a year; requested again while the server computes it. */
export function useTaxYear({ year, method }: TaxChoice) {
  return useRead<TaxYear>({
    queryKey: TAX.use('year', year ?? '', method),
    queryFn: ({ signal }) =>
      call(taxYear, year === undefined ? { method } : { year: String(year), method }, { signal }),
    enabled: useIsSignedIn(),
    refetchInterval: ({ state }) => (state.data?.status === 'computing' ? COMPUTING_MS : false),
  });
}

/** The disposals of a year, newest first. */
export function useTaxDisposals(year: number, method: TaxMethod) {
  return useGrowingList<TaxDisposal>(
    TAX.use('disposals', year, method),
    (page, signal) => call(taxDisposals, { ...page, year: String(year), method }, { signal }),
    { enabled: useIsSignedIn() },
  );
}

/** The lots of a disposal, newest first. */
export function useTaxLots(id: string) {
  return useGrowingList<TaxLot>(
    TAX.use('lots', id),
    (page, signal) => call(taxLots, { ...page, eventId: id }, { signal }),
    { enabled: useIsSignedIn() },
  );
}

/** Coins that were transferred to the user, newest first. */
export function useTaxArrivals() {
  return useGrowingList<TaxArrival>(
    TAX.use('arrivals'),
    (page, signal) => call(taxArrivals, page, { signal }),
    { enabled: useIsSignedIn() },
  );
}

/** Sets or, without a cost, removes what a transfer cost. */
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

/** Downloads a tax file of a year and saves it; resolves to the name of the saved file. */
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
