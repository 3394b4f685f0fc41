import type { CallFields } from '../api/client.ts';
import type { FieldsOf } from '@exchange/wire/endpoint.ts';
import type { exportRecords } from '@exchange/wire/export.ts';
import { historyFilterOf, type HistoryForm } from './history-form.ts';

type ExportFields = FieldsOf<typeof exportRecords>;
type ExportKind = ExportFields['kind'];
type ExportFilters = Omit<CallFields<typeof exportRecords>, 'kind' | 'format' | 'startTime' | 'endTime'> & {
  readonly startTime: number;
  readonly endTime: number;
};

/** Value of the export endpoint's status field, by outcome of an order. */
const ENTRY_STATUS = { finished: '1', cancelled: '2' } as const;

interface ExportChoice {
  readonly kind: ExportKind;
  readonly form: HistoryForm;
  /** Coin to which an export of the account history or the ledger is restricted; undefined for all coins. */
  readonly coin?: string | undefined;
}

/**
 * Returns whether an export of this kind contains orders or fills; only these can be filtered by pair, side
 * and type.
 */
export function isOfOrders(kind: ExportKind): boolean {
  return kind === 'orders' || kind === 'fills';
}

/** Returns whether filters exclude orders or fills of the period from the export. */
export function isNarrowed({ kind, form: { pair, side, type, ended } }: ExportChoice): boolean {
  return isOfOrders(kind) && (pair + side + type !== '' || (kind === 'orders' && ended !== 'all'));
}

/**
 * Returns the filters of the form that the export endpoint supports for this kind of export: by pair, side
 * and type for orders and fills, for orders also by outcome; by coin for account history and ledger.
 * Undefined until both days of the period are entered.
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
