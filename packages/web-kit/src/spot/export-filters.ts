import type { ExportFilters, ExportKind } from '../account/export.ts';
import { historyFilterOf, type HistoryForm } from './history-form.ts';

/** Value of each order outcome in the export endpoint. */
const ENTRY_STATUS = { finished: '1', cancelled: '2' } as const;

interface ExportChoice {
  readonly kind: ExportKind;
  readonly form: HistoryForm;
  /** Coin to which the account history and the ledger are restricted; undefined for all coins. */
  readonly coin?: string | undefined;
}

/** Whether a kind of export contains orders or fills, which are filtered by pair, side and type. */
export function isOfOrders(kind: ExportKind): boolean {
  return kind === 'orders' || kind === 'fills';
}

/** Whether an export contains only a part of its period's orders or fills. */
export function isNarrowed({ kind, form: { pair, side, type, ended } }: ExportChoice): boolean {
  return isOfOrders(kind) && (pair + side + type !== '' || (kind === 'orders' && ended !== 'all'));
}

/**
 * Filters of the export endpoint: those of the records that apply to this kind. Only orders can be filtered by outcome;
 * account history and ledger by period and coin. Undefined while the period lacks a start or an end.
 */
export function exportFiltersOf({ kind, form, coin }: ExportChoice): ExportFilters | undefined {
  const { status, startTime, endTime, ...filter } = historyFilterOf(form);
  if (startTime === undefined || endTime === undefined) return undefined;
  if (!isOfOrders(kind)) {
    return {
      startTime,
      endTime,
      currency: coin ?? null,
    };
  }
  return {
    ...filter,
    startTime,
    endTime,
    entryStatus: kind === 'orders' && status !== undefined ? ENTRY_STATUS[status] : null,
  };
}
