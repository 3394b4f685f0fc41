import { daysProblem, INITIAL_HISTORY, type HistoryForm } from '@exchange/web-kit/spot/history-form.ts';
import { TICKET_KINDS } from '@exchange/web-kit/spot/order-kinds.ts';
import { RECORDS_TABS, type RecordsTab } from '../paths.ts';

/** What the orders screen shows. It stands in the address, so that coming back from an order finds it as it was left. */
export interface RecordsView {
  readonly tab: RecordsTab;
  readonly form: HistoryForm;
}

/** What an order can be; a placed OCO is two of them. */
export const ORDER_TYPES = TICKET_KINDS.filter((kind) => kind !== 'oco');

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const PAIR = /^[A-Z0-9]{2,10}\/[A-Z0-9]{2,10}$/;

/** Reads an address; what it does not say, or says wrongly, narrows nothing. */
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

/** Writes an address; only what narrows stands in it. */
export function queryOf({ tab, form }: RecordsView): URLSearchParams {
  const said = {
    tab,
    pair: form.pair,
    side: form.side,
    kind: form.type,
    ended: form.ended === 'all' ? '' : form.ended,
    from: form.from,
    to: form.to,
  };
  return new URLSearchParams(Object.entries(said).filter(([, value]) => value !== ''));
}

/** How many things a form narrows; the period is one. Fills have no state, open orders no end. */
export function narrowing(form: HistoryForm, tab: RecordsTab): number {
  const { pair, side, type, ended, from, to } = narrowedFor(form, tab);
  const parts = [pair, side, type, ended === 'all' ? '' : ended, from + to];
  return parts.filter((part) => part !== '').length;
}

/** The form without what does not apply to a list. */
export function narrowedFor(form: HistoryForm, tab: RecordsTab): HistoryForm {
  return tab === 'history' ? form : { ...form, ended: INITIAL_HISTORY.ended };
}
