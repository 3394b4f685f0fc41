import type { EarnKind } from './earn-kind.ts';
import { everyOrder } from './queries.ts';
import type { EarnSay, Holding } from './shapes.ts';

/** Begins a formula in a spreadsheet. */
const FORMULA = /^[=+\-@\t\r]/;

/** The orders as CSV text, newest first, amounts as exact as they are and instants in UTC. */
export function ordersCsv(
  orders: readonly Holding[],
  { tabOf }: Pick<EarnKind, 'tabOf'>,
  t: EarnSay,
): string {
  const head = [
    ...[t('order'), t('boughtAt'), t('product'), t('coin'), t('amount'), t('dailyRate'), t('term')],
    ...[t('payMode'), t('start'), t('end'), t('earnedSoFar'), t('totalInterest'), t('status')],
  ];
  const rows = orders.map((order) => [
    ...[order.id, iso(order.buyTime), order.name, order.currency, order.amount, order.dailyRate],
    ...[String(order.period), t(`payMode${order.payMode}`), iso(order.startTime), iso(order.endTime)],
    ...[order.profit, order.totalProfit, t(tabOf(order))],
  ]);
  return [head, ...rows]
    .map((row) => row.map(cell).join(','))
    .join('\r\n')
    .concat('\r\n');
}

/** All own orders as a file. */
export async function loadOrdersCsv(earn: EarnKind, t: EarnSay): Promise<Blob> {
  const text = ordersCsv(await everyOrder(earn), earn, t);
  // Spreadsheets take a file for UTF-8 where it begins so.
  return new Blob([`\u{FEFF}${text}`], { type: 'text/csv;charset=utf-8' });
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

function cell(value: string): string {
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
