import type { Locator, Page } from 'playwright-core';
import { paths } from '@exchange/web-kit/paths.ts';
import type { TicketKind } from '../../packages/web-kit/src/spot/order-kinds.ts';
import type { Traded } from './trading.ts';
import type { Say } from './words.ts';
import { orderPath as desktopOrder } from '../../apps/desktop/src/paths.ts';
import { orderPath as mobileOrder, recordsPath } from '../../apps/mobile/src/paths.ts';

/** A dialog or state that appears after an action, in any language. */
export interface Scene {
  readonly name: string;
  readonly path: string;
  /** Selector of the part that is new on the screen. */
  readonly part?: string;
  /** Leads from the opened screen to the scene; empty if the address is enough. */
  readonly show: (page: Page, say: Say) => Promise<void>;
}

const PAIR = 'BTC_USDT';
/** In BTC. */
const TOO_MUCH = '90';
const DIALOG = '[role="dialog"]';
const nothing = async (): Promise<void> => undefined;

/** The forms, dialogs and tables around an order on the desktop site. */
export function desktopScenes({ restingId, filledId }: Traded): Scene[] {
  const { trade, market, records } = paths;
  const press = (file: string, key: string) => async (page: Page, say: Say) => {
    await page
      .getByRole('button', { name: say(file, key) })
      .first()
      .click();
  };
  const dialogBy = (name: string, path: string, file: string, key: string): Scene => ({
    name,
    path,
    part: DIALOG,
    show: async (page, say) => {
      await press(file, key)(page, say);
      await page.getByRole('dialog').waitFor();
    },
  });
  const list = (name: string, path: string, file: string, key: string): Scene => ({
    name,
    path,
    part: '[role="tabpanel"]',
    show: async (page, say) => {
      await page
        .getByRole('tab', { name: say(file, key) })
        .first()
        .click();
      await page.getByRole('table').last().waitFor();
    },
  });
  return [
    { name: 'ticket GTT', path: trade, part: 'form', show: fillGtt },
    { name: 'ticket market', path: trade, part: 'form', show: fillDesktopMarket },
    ...(['stopLimit', 'takeProfitMarket', 'trailing', 'oco'] as const).map((kind): Scene => ({
      name: `ticket ${kind}`,
      path: trade,
      part: 'form',
      show: (page, say) => fillDesktopTicket(page, say, kind),
    })),
    {
      name: 'order types',
      path: trade,
      part: '[aria-expanded="true"] + div',
      show: press('desktop-trade', 'ticket.moreTypes'),
    },
    list('waiting', trade, 'desktop-orders', 'waitingTab'),
    list('history', trade, 'orders', 'history'),
    list('fills', trade, 'orders', 'fills'),
    list('records open', records, 'orders', 'open'),
    list('records waiting', records, 'orders', 'waiting'),
    dialogBy('change', trade, 'orders', 'amendOrder'),
    dialogBy('cancel all', trade, 'orders', 'cancelAll'),
    dialogBy('alert', trade, 'desktop-market', 'alert.open'),
    { name: 'alerts', path: market, part: DIALOG, show: openAlerts },
    dialogBy('export', records, 'orders', 'export'),
    { name: 'details resting', path: desktopOrder(restingId), part: DIALOG, show: dialogShown },
    { name: 'details filled', path: desktopOrder(filledId), part: DIALOG, show: dialogShown },
    dialogBy('buy product', paths.finance, 'finance', 'buyNamed'),
    dialogBy('product order', paths.financeRecord, 'finance', 'details'),
    { name: 'coins', path: paths.deposit, part: DIALOG, show: openCoins },
    { name: 'withdrawal', path: `${paths.withdraw}?coin=BTC`, part: DIALOG, show: reviewWithdrawal },
    dialogBy('address', paths.address, 'transfer', 'addAddress'),
    { name: 'information', path: `${trade}?symbol=${PAIR}&view=info`, show: nothing },
    { name: 'depth', path: `${trade}?symbol=${PAIR}&view=depth`, show: nothing },
  ];
}

const dialogShown = (page: Page): Promise<void> =>
  page.getByRole('dialog').getByRole('progressbar').waitFor();

async function openAlerts(page: Page, say: Say): Promise<void> {
  // The button may contain a count.
  const name = new RegExp(say('alerts', 'title').source.replace(/\$$/, ''));
  await page.getByRole('button', { name }).click();
  await page.getByRole('dialog').getByRole('listitem').first().waitFor();
}

const PRICES = {
  stopLimit: { stopPrice: '88000', limitPrice: '87500' },
  takeProfitMarket: { stopPrice: '110000' },
  trailing: { trail: '1.5' },
  oco: { limitPrice: '108000', stopPrice: '88000' },
} as const;

/** Fills in a complete sell order with all options, so that the form shows its summary. */
async function fillDesktopTicket(page: Page, say: Say, kind: keyof typeof PRICES): Promise<void> {
  await page.getByRole('button', { name: say('desktop-trade', 'ticket.moreTypes') }).click();
  const name = new RegExp(`${say('trade', kind).source.replace(/\$$/, '')} ?\\S`);
  await page.getByRole('button', { name }).first().click();
  const ticket = page.getByRole('form', { name: say('trade', 'sell') });
  for (const [field, value] of Object.entries(PRICES[kind]))
    await ticket.getByLabel(say('trade', field)).fill(value);
  await ticket.getByRole('textbox', { name: say('trade', 'amount') }).fill('0.01');
  await ticket.getByText(say('trade', 'more')).click();
}

/** Fills in a sell order for more than the book contains. */
async function fillDesktopMarket(page: Page, say: Say): Promise<void> {
  await page.getByRole('tab', { name: say('trade', 'market') }).click();
  const ticket = page.getByRole('form', { name: say('trade', 'sell') });
  await ticket.getByRole('textbox', { name: say('trade', 'amount') }).fill(TOO_MUCH);
  await ticket.getByText(say('trade', 'thinBook')).waitFor();
}

/** Fills in a buy order with an expiry time. */
async function fillGtt(page: Page, say: Say): Promise<void> {
  const ticket = page.getByRole('form', { name: say('trade', 'buy') });
  await ticket.getByText(say('trade', 'more')).click();
  await ticket.getByRole('combobox', { name: say('trade', 'timeInForce') }).selectOption('GTT');
  await ticket.getByRole('combobox', { name: say('trade', 'expires') }).selectOption('own');
  await ticket.getByLabel(say('trade', 'amount')).fill('0.01');
}

async function openCoins(page: Page): Promise<void> {
  await page.locator('main ol > li').first().getByRole('button').click();
  await page.getByRole('dialog').getByRole('option').first().waitFor();
}

/** Fills in a withdrawal to a saved address up to its review. */
async function reviewWithdrawal(page: Page, say: Say): Promise<void> {
  await page.getByRole('button', { name: say('transfer', 'addressTitle') }).click();
  await page.getByRole('option').first().click();
  await page.getByLabel(say('transfer', 'amount')).fill('0.0045');
  await page.getByRole('button', { name: say('transfer', 'continue') }).click();
  await page.getByRole('dialog', { name: say('transfer', 'reviewTitle') }).waitFor();
}

/** The sheets, forms and lists around an order on the mobile site. */
export function mobileScenes({ restingId, filledId }: Traded): Scene[] {
  const { trade } = paths;
  const sheetBy = (name: string, path: string, file: string, key: string): Scene => ({
    name,
    path,
    part: DIALOG,
    show: async (page, say) => {
      await page
        .getByRole('button', { name: say(file, key) })
        .first()
        .tap();
      await page.getByRole('dialog').waitFor();
    },
  });
  return [
    { name: 'advanced', path: trade, part: DIALOG, show: openAdvanced },
    { name: 'order types', path: trade, part: DIALOG, show: openTypes },
    ...(['stopLimit', 'trailing', 'oco'] as const).map((kind): Scene => ({
      name: `ticket ${kind}`,
      path: trade,
      part: 'form',
      show: (page, say) => fillMobileTicket(page, say, kind),
    })),
    { name: 'ticket market', path: trade, part: 'form', show: fillMobileMarket },
    { name: 'pairs', path: trade, part: DIALOG, show: openPairs },
    sheetBy('alert', trade, 'alerts', 'addFor'),
    sheetBy('change', recordsPath('open'), 'orders', 'amendOrder'),
    sheetBy('cancel all', recordsPath('open'), 'orders', 'cancelAll'),
    sheetBy('filters', recordsPath('history'), 'mobile-orders', 'filters'),
    sheetBy('export', recordsPath('fills'), 'orders', 'export'),
    sheetBy('buy product', paths.finance, 'finance', 'buyNamed'),
    { name: 'product order', path: paths.financeRecord, part: DIALOG, show: openProductOrder },
    { name: 'coins', path: paths.deposit, part: DIALOG, show: openCoins },
    {
      name: 'withdrawal',
      path: `${paths.withdraw}?coin=BTC`,
      part: DIALOG,
      show: reviewWithdrawal,
    },
    sheetBy('address', paths.address, 'transfer', 'addAddress'),
    { name: 'waiting', path: recordsPath('waiting'), show: nothing },
    { name: 'details resting', path: mobileOrder(restingId), show: nothing },
    { name: 'details filled', path: mobileOrder(filledId), show: nothing },
    { name: 'information', path: `${trade}?symbol=${PAIR}&view=info`, show: nothing },
  ];
}

async function openProductOrder(page: Page): Promise<void> {
  await page.getByRole('article').first().getByRole('button').tap();
  await page.getByRole('dialog').waitFor();
}

async function openPairs(page: Page, say: Say): Promise<void> {
  await page.getByRole('heading', { level: 1 }).getByRole('button').tap();
  await page.getByRole('dialog', { name: say('trade', 'pairs') }).waitFor();
}

async function openTypes(page: Page, say: Say): Promise<void> {
  const name = new RegExp(say('trade', 'orderType').source.replace(/\$$/, ''));
  await page.getByRole('button', { name }).tap();
  await page.getByRole('dialog').waitFor();
}

async function openAdvanced(page: Page, say: Say): Promise<void> {
  const name = new RegExp(say('mobile-trade', 'advanced').source.replace(/\$$/, ''));
  await page.getByRole('button', { name }).tap();
  const sheet = page.getByRole('dialog');
  await sheet.getByText(say('trade', 'gtt')).tap();
  await sheet.getByRole('button', { name: say('trade', 'expiry.own') }).tap();
}

const MOBILE_FIELDS = {
  stopLimit: [
    ['mobile-trade', 'stopPrice', '88000'],
    ['trade', 'price', '87500'],
  ],
  trailing: [['trade', 'trail', '1.5']],
  oco: [
    ['mobile-trade', 'limitPrice', '108000'],
    ['mobile-trade', 'stopPrice', '88000'],
  ],
} as const;

async function fillMobileTicket(page: Page, say: Say, kind: keyof typeof MOBILE_FIELDS): Promise<void> {
  const ticket = await beginMobileSale(page, say, kind);
  for (const [file, field, value] of MOBILE_FIELDS[kind])
    await ticket.getByLabel(say(file, field)).fill(value);
  await ticket.getByLabel(say('trade', 'amount')).fill('0.01');
}

/** Fills in a sell order for more than the book contains. */
async function fillMobileMarket(page: Page, say: Say): Promise<void> {
  const ticket = await beginMobileSale(page, say, 'market');
  await ticket.getByLabel(say('trade', 'amount')).fill(TOO_MUCH);
  await ticket.getByText(say('trade', 'thinBook')).waitFor();
}

async function beginMobileSale(page: Page, say: Say, kind: TicketKind): Promise<Locator> {
  await page
    .getByRole('radiogroup', { name: say('trade', 'side') })
    .getByText(say('trade', 'sell'))
    .tap();
  await openTypes(page, say);
  const sheet = page.getByRole('dialog');
  await sheet.getByText(say('trade', kind)).tap();
  await sheet.waitFor({ state: 'detached' });
  return page.getByRole('main');
}
