import { Decimal } from '@exchange/core/decimal.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillIn, signUp, waitForText } from './fixtures/actions.ts';
import {
  closeProfiles,
  DESKTOP,
  open,
  openPerson,
  PHONE,
  sharedBrowser,
  type Person,
} from './fixtures/browser.ts';
import { ControlledMarket, STILL } from './fixtures/controlled-market.ts';
import { startExchange, type Exchange } from './fixtures/exchange.ts';
import { priceText } from './fixtures/prices.ts';
import { reportSteps } from './fixtures/steps.ts';
import { numberIn, rowsOf } from './fixtures/text-reading.ts';
import { TIMEOUT, TradingScreen, termOf } from './fixtures/trading-screen.ts';

const decimal = (text: string): Decimal => Decimal.parse(text);
/**
 * Distance in USDT between the levels of the grids. The fees of a purchase and of a sale one level higher are
 * less than half of the profit.
 */
const STEP = decimal('400');

let exchange: Exchange;
let browser: Browser;
let market: ControlledMarket;

beforeAll(async () => {
  [exchange, browser] = await Promise.all([startExchange(STILL), sharedBrowser()]);
  market = await ControlledMarket.open(exchange.origin);
});
afterAll(() => exchange.stop());

describe('algo orders on the desktop site', () => {
  let ada: Person;
  let desk: TradingScreen;
  const page = () => ada.page;
  reportSteps();

  beforeAll(async () => {
    ada = await openPerson(browser, exchange.origin, DESKTOP);
    desk = new TradingScreen(page());
    await open(page(), DESKTOP, paths.register);
    await signUp(ada, 'ada.stone@example.com');
    await open(page(), DESKTOP, paths.assets);
    await page().getByRole('button', { name: 'Get demo funds' }).click();
    await page().getByRole('row', { name: /^USDT/ }).getByText('10,000.00').first().waitFor();
    await open(page(), DESKTOP, paths.trade);
    await page().getByRole('tab', { name: 'Algo orders' }).click();
  });
  afterAll(() => closeProfiles(browser));

  const edges = () => market.bidAndAsk(page());
  const card = (kind: string): Locator =>
    page()
      .getByRole('listitem')
      .filter({ hasText: `${kind} · BTC/USDT` })
      .first();
  /** Waits until the card of an algo order shows this text for a figure. */
  async function waitForFigure(kind: string, name: string, text: string): Promise<void> {
    await expect.poll(() => termOf(card(kind), name), TIMEOUT).toBe(text);
  }

  /** Opens the form of an algo order and fills it in. Returns the dialog. */
  async function fillForm(kind: string, title: string, fields: Readonly<Record<string, string>>) {
    await page()
      .getByRole('button', { name: `New ${kind}` })
      .click();
    const dialog = page().getByRole('dialog', { name: `${title} · BTC/USDT` });
    await fillIn(dialog, fields);
    return dialog;
  }

  /** Chooses whether the running or the ended algo orders are shown. */
  async function showOrders(which: 'Running' | 'Ended'): Promise<void> {
    await page().getByRole('radiogroup', { name: 'Show' }).getByText(which, { exact: true }).click();
  }

  async function cancel(kind: string, message: RegExp | string): Promise<void> {
    await card(kind)
      .getByRole('button', { name: `Cancel ${kind.toLowerCase()}` })
      .click();
    await waitForText(page(), message);
    await card(kind).waitFor({ state: 'detached' });
  }

  /** Expects that no USDT and no BTC of the user are on hold. */
  async function expectNothingHeld(): Promise<void> {
    await expect.poll(async () => (await desk.balanceOf('USDT')).frozen.toString(), TIMEOUT).toBe('0');
    expect((await desk.balanceOf('BTC')).frozen.isZero()).toBe(true);
    await page().getByRole('tab', { name: 'Algo orders' }).click();
  }

  it('JRN-202 the orders of a ladder are previewed, placed together and cancelled by one press', async () => {
    const { floor } = await edges();
    const [first, last] = [floor.minus(decimal('900')), floor.minus(decimal('300'))];
    const dialog = await fillForm('ladder', 'Scaled ladder', {
      'First price': first.toString(),
      'Last price': last.toString(),
      Orders: '4',
      'Total amount': '0.008',
    });
    const preview = await rowsOf(dialog.getByRole('table', { name: 'Preview of the orders' }));
    expect(preview.map((row) => [row['Price'], row['Amount']])).toEqual(
      ['900', '700', '500', '300'].map((below) => [priceText(floor.minus(decimal(below))), '0.00200']),
    );
    await dialog.getByRole('button', { name: 'Place ladder' }).click();
    await waitForText(page(), '4 orders placed.');
    await card('Ladder').getByText('4 of 4 open').waitFor();
    await desk.waitForOpenOrders(4);
    await cancel('Ladder', '4 orders canceled.');
    await expectNothingHeld();
  });

  it('JRN-203 an iceberg shows one slice; when it is filled, the next takes its place, and one press cancels it', async () => {
    const price = (await edges()).floor.plus(decimal('1'));
    const dialog = await fillForm('iceberg', 'Iceberg order', {
      Price: price.toString(),
      'Total amount': '0.006',
      'Visible amount': '0.001',
    });
    await dialog.getByRole('button', { name: 'Place iceberg' }).click();
    await waitForText(page(), 'Iceberg placed.');
    await waitForFigure('Iceberg', 'Hidden', '0.00500 BTC');
    await market.moveLast('sell', price);
    await waitForFigure('Iceberg', 'Hidden', '0.00400 BTC');
    await waitForFigure('Iceberg', 'Filled', '0.00100 / 0.00600 BTC');
    await cancel('Iceberg', 'Iceberg canceled.');
    await expectNothingHeld();
  });

  it('JRN-204 a chase order follows the best bid upwards, and one press cancels it', async () => {
    const { floor } = await edges();
    const dialog = await fillForm('chase', 'Chase order', {
      Amount: '0.004',
      'Follows at most': '1',
      Duration: '30',
    });
    await dialog.getByRole('button', { name: 'Start chase' }).click();
    await waitForText(page(), 'Chase order started.');
    await waitForFigure('Chase', 'Price now', priceText(floor));
    await market.moveLast('buy', floor.plus(decimal('120')));
    await waitForFigure('Chase', 'Price now', priceText(floor.plus(decimal('100'))));
    await waitForFigure('Chase', 'Price changes', '1');
    await cancel('Chase', 'Chase order canceled.');
    await expectNothingHeld();
  });

  it('JRN-205 the first order of a TWAP trades at once, and one press cancels the rest', async () => {
    await edges();
    const dialog = await fillForm('TWAP', 'TWAP order', {
      'Total amount': '0.008',
      Duration: '30',
      Orders: '4',
      'Distance from best price': '0.5',
    });
    const preview = await rowsOf(dialog.getByRole('table', { name: 'Preview of the orders' }));
    expect(preview.map((row) => row['Amount'])).toEqual(['0.00200', '0.00200', '0.00200', '0.00200']);
    await dialog.getByRole('button', { name: 'Start TWAP' }).click();
    await waitForText(page(), 'TWAP order started.');
    await waitForFigure('TWAP', 'Filled', '0.00200 / 0.00800 BTC');
    await waitForFigure('TWAP', 'Orders', '1 / 4');
    await card('TWAP').getByRole('button', { name: 'Cancel TWAP' }).click();
    await waitForText(page(), 'TWAP order canceled.');
    await showOrders('Ended');
    await waitForFigure('TWAP', 'Filled', '0.00200 / 0.00800 BTC');
    await showOrders('Running');
    await expectNothingHeld();
  });

  it('JRN-206 a grid completes a step, and ends at its stop-loss price: its coins are sold, and a message says why', async () => {
    const { floor } = await edges();
    const stop = floor.minus(STEP.timesExact(decimal('3')));
    const dialog = await fillForm('grid', 'Grid trading', {
      'Lower price': floor.minus(STEP.timesExact(decimal('2'))).toString(),
      'Upper price': floor.plus(STEP.timesExact(decimal('2'))).toString(),
      'Price levels': '5',
      Investment: '800',
      'Maximum slippage': '1',
      'Stop-loss price': stop.toString(),
    });
    await dialog.getByRole('radiogroup', { name: 'When one of these' }).getByText('Sell the coins').click();
    const preview = await rowsOf(dialog.getByRole('table', { name: 'Preview of the orders' }));
    expect(preview.map((row) => `${row['Side']} ${row['Price']}`)).toEqual([
      `Sell ${priceText(floor.plus(STEP.timesExact(decimal('2'))))}`,
      `Sell ${priceText(floor.plus(STEP))}`,
      `Buy ${priceText(floor.minus(STEP))}`,
      `Buy ${priceText(floor.minus(STEP.timesExact(decimal('2'))))}`,
    ]);
    await dialog.getByText(/^Falls to the stop-loss price/).waitFor();
    await dialog.getByRole('button', { name: 'Start grid' }).click();
    await waitForText(page(), 'Grid started.');
    await card('Grid').getByText('Running: 4 of 4 orders open').waitFor();

    // The purchase one level below is filled, and then the sale that follows it.
    await market.moveLast('sell', floor.minus(STEP));
    await market.moveLast('buy', floor);
    await waitForFigure('Grid', 'Completed grids', '1');
    expect(numberIn(await termOf(card('Grid'), 'Grid profit after fees')).isPositive()).toBe(true);

    await market.moveLast('sell', stop);
    await card('Grid').waitFor({ state: 'detached' });
    await showOrders('Ended');
    await card('Grid').getByText('Ended: stop-loss price reached').waitFor();
    expect(numberIn(await termOf(card('Grid'), 'Sold at the end')).isPositive()).toBe(true);
    await showOrders('Running');
    await expectNothingHeld();
    await page()
      .getByRole('link', { name: /^Unread messages: / })
      .click();
    await page()
      .getByRole('listitem')
      .filter({ hasText: /Grid ended: BTC\/USDT.*stop-loss price/s })
      .first()
      .waitFor();
    expect(ada.complaints).toEqual([]);
  });
});

describe('algo orders on the mobile site', () => {
  let ben: Person;
  const page = () => ben.page;
  reportSteps();

  beforeAll(async () => {
    ben = await openPerson(browser, exchange.origin, PHONE);
    await open(page(), PHONE, paths.register);
    await signUp(ben, 'ben.marsh@example.com');
    await open(page(), PHONE, paths.assets);
    await page().getByRole('button', { name: 'Get demo funds' }).tap();
    await waitForText(page(), /^Demo funds added: 10,000 USDT/);
    await open(page(), PHONE, paths.trade);
  });
  afterAll(() => closeProfiles(browser));

  it('JRN-207 a grid is started by touch, and cancelled with the sale of its coins', async () => {
    const { floor } = await market.bidAndAsk(page());
    await page().getByRole('tab', { name: /^Algo/ }).tap();
    await page().getByRole('button', { name: 'New grid' }).tap();
    const sheet = page().getByRole('dialog', { name: 'Grid trading · BTC/USDT' });
    await fillIn(sheet, {
      'Lower price': floor.minus(STEP).toString(),
      'Upper price': floor.plus(STEP).toString(),
      'Price levels': '3',
      Investment: '400',
      'Maximum slippage': '1',
    });
    await sheet.getByRole('button', { name: 'Start grid' }).tap();
    await waitForText(page(), 'Grid started.');
    const card = page().getByRole('listitem').filter({ hasText: 'Grid · BTC/USDT' }).first();
    await card.getByText('Running: 2 of 2 orders open').waitFor();
    await card.getByRole('button', { name: 'Cancel grid' }).tap();
    const question = page().getByRole('dialog', { name: 'Cancel this grid?' });
    await question.getByText('Sell the coins').tap();
    await question.getByRole('button', { name: 'Cancel grid' }).tap();
    await waitForText(page(), /^Grid canceled\. Sold [\d.]+ BTC for [\d.,]+ USDT after fees\.$/);
    await card.waitFor({ state: 'detached' });
    expect(ben.complaints).toEqual([]);
  });
});
