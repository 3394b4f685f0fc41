import { useState } from 'react';
import { serverNow } from '../clock.ts';
import { notify } from '../notify.ts';
import { saveFile } from '../save-file.ts';
import type { EarnKind } from './earn-kind.ts';
import { useEarn, useEarnWords } from './earn.ts';
import { everyOrder } from './queries.ts';
import type { EarnTranslate, Holding } from './shapes.ts';

/**
 * Returns a function that saves all orders of the user of the displayed kind of earn product as a CSV file
 * and shows success or failure in a notification, and whether it is running.
 */
export function useCsv() {
  const earn = useEarn();
  const t = useEarnWords();
  const [isBusy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      const name = `${earn.part === 'finance' ? 'earn' : 'mining'}-${new Date(serverNow()).toISOString().slice(0, 10)}.csv`;
      saveFile(await loadOrdersCsv(earn, t), name);
      notify.success(t('csvSaved', { name }));
    } catch (error) {
      // The orders could not be loaded; the user is notified and no file is saved.
      notify.failure(error);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, save };
}

/** Matches a text that a spreadsheet would calculate as a formula, by its first character. */
const FORMULA = /^[=+\-@\t\r]/;

/** Returns earn orders as CSV text, in the given sequence, with exact amounts and times in UTC. */
export function ordersCsv(
  orders: readonly Holding[],
  { tabOf }: Pick<EarnKind, 'tabOf'>,
  t: EarnTranslate,
): string {
  const head = [
    t('order'),
    t('boughtAt'),
    t('product'),
    t('coin'),
    t('amount'),
    t('dailyRate'),
    t('term'),
    t('payMode'),
    t('start'),
    t('end'),
    t('earnedSoFar'),
    t('totalInterest'),
    t('status'),
  ];
  const rows = orders.map((order) => [
    order.id,
    iso(order.buyTime),
    order.name,
    order.currency,
    order.amount,
    order.dailyRate,
    String(order.period),
    t(`payMode${order.payMode}`),
    iso(order.startTime),
    iso(order.endTime),
    order.profit,
    order.totalProfit,
    t(tabOf(order)),
  ]);
  return [head, ...rows]
    .map((row) => row.map(cell).join(','))
    .join('\r\n')
    .concat('\r\n');
}

/** Loads all orders of the user of a kind of earn product, as a CSV file. */
async function loadOrdersCsv(earn: EarnKind, t: EarnTranslate): Promise<Blob> {
  const text = ordersCsv(await everyOrder(earn), earn, t);
  // The byte order mark makes spreadsheet programs read the file as UTF-8.
  return new Blob([`\u{FEFF}${text}`], { type: 'text/csv;charset=utf-8' });
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

function cell(value: string): string {
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
