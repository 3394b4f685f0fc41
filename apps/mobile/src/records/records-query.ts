import { daysProblem, INITIAL_HISTORY, type HistoryForm } from '@exchange/web-kit/spot/history-form.ts';
import { TICKET_KINDS } from '@exchange/web-kit/spot/order-kinds.ts';
import { RECORDS_TABS, type RecordsTab } from '../paths.ts';

/**
 * State of the records screen: the selected tab and the filters. It is part of the URL, so that it is restored when the
 * user returns from the screen of an order.
 */
export interface RecordsView {
  readonly tab: RecordsTab;
  readonly form: HistoryForm;
}

/**
 * Order types by which the records can be filtered: the ticket's types without OCO, because the two orders of an OCO
 * are recorded separately.
 */
export const ORDER_TYPES = TICKET_KINDS.filter((kind) => kind !== 'oco');

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const PAIR = /^[A-Z0-9]{2,10}\/[A-Z0-9]{2,10}$/;

/**
 * Parses the state of the records screen from the URL parameters; a filter whose parameter is missing or
 * invalid is inactive, and without a valid `tab` the order history is shown. A period that ends before it
 * begins is ignored.
 */
export function viewOf(query: URLSearchParams): RecordsView {
  const text = (name: string) => query.get(name) ?? '';
  const matching = (name: string, pattern: RegExp) => (pattern.test(text(name)) ? text(name) : '');
  const days = { from: matching('from', DAY), to: matching('to', DAY) };
  return {
    tab: RECORDS_TABS.find((tab) => tab === text('tab')) ?? 'history',
    form: {
      pair: matching('pair', PAIR),
      side: (['1', '2'] as const).find((side) => side === text('side')) ?? '',
      type: ORDER_TYPES.find((type) => type === text('kind')) ?? '',
      ended: (['finished', 'cancelled'] as const).find((ended) => ended === text('ended')) ?? 'all',
      ...(daysProblem(days) === undefined ? days : { from: '', to: '' }),
    },
  };
}

/**
 * Returns the URL parameters of the records screen for the given state; inactive filters have no parameter.
 */
export function queryOf({ tab, form }: RecordsView): URLSearchParams {
  const parameters = {
    tab,
    pair: form.pair,
    side: form.side,
    kind: form.type,
    ended: form.ended === 'all' ? '' : form.ended,
    from: form.from,
    to: form.to,
  };
  return new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== ''));
}

/**
 * Returns the number of active filters that apply to the list of the tab. First and last day together count
 * as one filter; the filter by outcome counts only in the order history.
 */
export function activeFilterCount(form: HistoryForm, tab: RecordsTab): number {
  const { pair, side, type, ended, from, to } = applicableFilters(form, tab);
  const parts = [pair, side, type, ended === 'all' ? '' : ended, from + to];
  return parts.filter((part) => part !== '').length;
}

/**
 * Returns the filters that apply to the list of the tab: all of them to the order history, all except the
 * filter by outcome to the other lists.
 */
export function applicableFilters(form: HistoryForm, tab: RecordsTab): HistoryForm {
  return tab === 'history' ? form : { ...form, ended: INITIAL_HISTORY.ended };
}
