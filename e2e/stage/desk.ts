import type { Decimal } from '@exchange/core/decimal.ts';
import { setTimeout as pause } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { TIMEOUT_MS } from './browser.ts';
import { numberIn, rowsOf, textsOf } from './reading.ts';

export const TIMEOUT = { timeout: TIMEOUT_MS, interval: 150 };

/** The tables below the chart by their names. */
export type List = 'Open orders' | 'Conditional orders' | 'Order history' | 'Trade history' | 'Balances';

const TABS: Readonly<Record<List, RegExp>> = {
  'Open orders': /^Open orders/,
  'Conditional orders': /^Conditional/,
  'Order history': /^Order history/,
  'Trade history': /^Trade history/,
  Balances: /^Balances/,
};

export type Row = Readonly<Record<string, string>>;

/** The trading screen of the desktop site. */
export class Desk {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Returns the order form of a side. */
  ticket(side: 'Buy' | 'Sell'): Locator {
    return this.page.getByRole('form', { name: side, exact: true });
  }

  /** Selects an order type with an empty form. Returns the form of the side. */
  async begin(side: 'Buy' | 'Sell', kind: string): Promise<Locator> {
    const tab = (name: string) => this.page.getByRole('tab', { name, exact: true });
    // Changing the type clears earlier input.
    await tab(kind === 'Market' ? 'Limit' : 'Market').click();
    if (kind === 'Limit' || kind === 'Market') await tab(kind).click();
    else {
      await this.page.getByRole('button', { name: 'More order types' }).click();
      await this.page.getByRole('button', { name: new RegExp(`^${kind} ?[A-Z]`) }).click();
    }
    return this.ticket(side);
  }

  /** Selects an option below `More options`. */
  async choose(ticket: Locator, name: string, option: string): Promise<void> {
    const choice = ticket.getByRole('combobox', { name, exact: true });
    if (!(await choice.isVisible())) await ticket.getByText('More options').click();
    await choice.selectOption({ label: option });
  }

  async send(ticket: Locator): Promise<void> {
    await ticket.getByRole('button', { name: /^(Buy|Sell) [A-Z]+$/ }).click();
  }

  /** Shows a table below the chart and returns it. */
  async show(list: List): Promise<Locator> {
    await this.page.getByRole('tab', { name: TABS[list] }).click();
    return this.page.getByRole('table', { name: list, exact: true });
  }

  /** Returns the rows of a table; empty if it says that there are none. */
  async rows(list: List): Promise<Row[]> {
    return rowsIn(await this.show(list));
  }

  /** Waits until the newest row of a table has these cells, and returns it. */
  async newest(list: List, cells: Row, timeoutMs = TIMEOUT.timeout): Promise<Row> {
    const [row = {}] = await rowsOnceTheyFit(await this.show(list), [cells], timeoutMs);
    return row;
  }

  /** Waits until the tab shows this number of open orders. */
  async resting(count: number): Promise<void> {
    await this.page.getByRole('tab', { name: `Open orders (${count})` }).waitFor();
  }

  /** Waits until the tab shows this number of conditional orders. */
  async waiting(count: number): Promise<void> {
    await this.page.getByRole('tab', { name: `Conditional (${count})` }).waitFor();
  }

  /** Waits until the newest orders of the history have these cells, in any order. */
  async ended(...orders: readonly Row[]): Promise<void> {
    await rowsOnceTheyFit(await this.show('Order history'), orders, TIMEOUT.timeout);
  }

  /** Returns the balances of a coin from the table below the chart. */
  async balanceOf(coin: string): Promise<{ available: Decimal; frozen: Decimal }> {
    const table = await this.show('Balances');
    await table.waitFor();
    const row = (await rowsOf(table)).find((cells) => cells['Coin'] === coin);
    return { available: numberIn(row?.['Available'] ?? ''), frozen: numberIn(row?.['On hold'] ?? '') };
  }

  /** Returns the best bid or ask. */
  async best(side: 'Bid' | 'Ask'): Promise<Decimal> {
    const row = this.page.getByRole('button', { name: new RegExp(`^${side} `) }).first();
    return numberIn((await row.getAttribute('aria-label')) ?? '');
  }

  /** Opens the details of the newest order of a table, or of the newest order of a type. Returns the dialog. */
  async details(list: List, type = ''): Promise<Locator> {
    const row = (await this.show(list)).getByRole('row').filter({ hasText: type });
    await row.getByRole('button', { name: 'Order details' }).first().click();
    const dialog = this.page.getByRole('dialog', { name: 'Order details' });
    await dialog.getByRole('progressbar').waitFor();
    return dialog;
  }

  async close(dialog: Locator): Promise<void> {
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
  }
}

async function rowsIn(table: Locator): Promise<Row[]> {
  return (await table.count()) === 0 ? [] : rowsOf(table);
}

/** Reads rows, the newest first, until the newest ones match the expected rows in any order. Returns them. */
async function rowsOnceTheyFit(table: Locator, wanted: readonly Row[], timeoutMs: number): Promise<Row[]> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const rows = (await rowsIn(table)).slice(0, wanted.length);
    if (wanted.every((cells) => rows.some((row) => has(row, cells)))) return rows;
    if (Date.now() > deadline)
      throw new Error(`There should be ${JSON.stringify(wanted)}, there is ${JSON.stringify(rows)}.`);
    await pause(TIMEOUT.interval);
  }
}

function has(row: Row, cells: Row): boolean {
  return Object.entries(cells).every(([title, text]) => row[title] === text);
}

/** Returns the value beside a name in the definition list of the open dialog. */
export async function termOf(dialog: Locator, name: string): Promise<string> {
  const term = dialog
    .locator('dl > div')
    .filter({ has: dialog.page().locator('dt', { hasText: new RegExp(`^${name}$`) }) });
  await term.locator('dd').waitFor();
  const [[, text = ''] = []] = await textsOf(term);
  return text;
}
