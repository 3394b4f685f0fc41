import { Decimal, sum } from '@exchange/core/decimal.ts';
import { LOCALES } from '@exchange/core/locale.ts';
import { MINUTE_MS } from '@exchange/core/time.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import { tradePath } from '@exchange/web-kit/market/trade-paths.ts';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillIn, waitForText, signInAsDemoTrader, signUp } from './fixtures/actions.ts';
import {
  closeProfiles,
  DESKTOP,
  open,
  type Person,
  PHONE,
  openPerson,
  sharedBrowser,
} from './fixtures/browser.ts';
import { downloadRows } from './fixtures/csv.ts';
import { TradingScreen, TIMEOUT, termOf, type Row } from './fixtures/trading-screen.ts';
import { switchLanguage, unevenInputs } from './fixtures/inspection.ts';
import { mailsTo } from './fixtures/mailbox.ts';
import { startExchange, type Exchange } from './fixtures/exchange.ts';
import { above, below, UNREACHABLE_DISTANCE, priceText } from './fixtures/prices.ts';
import { formatNumber, numberIn, rowsOf } from './fixtures/text-reading.ts';
import { STILL, ControlledMarket } from './fixtures/controlled-market.ts';
import { reportSteps } from './fixtures/steps.ts';
import { commitSeed, isLongForm } from '../tools/test-form.ts';

const EMAIL = 'nora.quill@example.com';
/** Line of the alert on the moving average in the list of alerts. */
const CROSSING_LINE = 'Close above MA(2) · 1m';
const decimal = (text: string): Decimal => Decimal.parse(text);

let exchange: Exchange;
let browser: Browser;
let market: ControlledMarket;

// The tests of both sites share an exchange and a market, because their start takes as long as several steps. Each site
// has its own user.
beforeAll(async () => {
  [exchange, browser] = await Promise.all([startExchange(STILL), sharedBrowser()]);
  market = await ControlledMarket.open(exchange.origin);
});
afterAll(() => exchange.stop());

/**
 * Places orders of many types through the desktop site and checks the resulting balances. Each test depends on the
 * tests before it.
 */
describe('every kind of order on the desktop site', () => {
  let nora: Person;
  let desk: TradingScreen;
  const page = () => nora.page;
  reportSteps();

  beforeAll(async () => {
    nora = await openPerson(browser, exchange.origin, DESKTOP);
    desk = new TradingScreen(page());
    await open(page(), DESKTOP, paths.register);
    await signUp(nora, EMAIL);
    await open(page(), DESKTOP, paths.assets);
    await page().getByRole('button', { name: 'Get demo funds' }).click();
    await page().getByRole('row', { name: /^USDT/ }).getByText('10,000.00').first().waitFor();
  });
  afterAll(() => closeProfiles(browser));

  /**
   * Sums of the fills of an order: `amount` in the base coin, `total` in the quote coin, and `fee` in the
   * coin that the order received.
   */
  interface Filled {
    readonly amount: Decimal;
    readonly total: Decimal;
    readonly fee: Decimal;
  }

  /**
   * Waits until the newest ended order has these table cells. Checks that the details of the order agree with
   * its fills. Returns the sums of the fills.
   */
  async function filled(cells: Row): Promise<Filled> {
    const row = await desk.waitForNewest('Order history', cells);
    const dialog = await desk.details('Order history');
    const fills = await rowsOf(dialog.getByRole('table', { name: 'Fills of this order' }));
    const all = (title: string): Decimal => sum(fills.map((fill) => numberIn(fill[title] ?? '')));
    const together = { amount: all('Amount'), total: all('Total'), fee: all('Fee') };
    // If the order's amount is given as a total in the quote coin, the column `Filled` contains the filled
    // total instead of the filled amount.
    const isByTotal = row['Amount']?.endsWith('USDT') === true;
    expect(isByTotal ? together.total : together.amount).toEqual(numberIn(row['Filled'] ?? ''));
    expect(together.total).toEqual(numberIn(await termOf(dialog, 'Filled total')));
    expect(together.fee).toEqual(numberIn(await termOf(dialog, 'Fees paid')));
    expect(together.fee.isPositive()).toBe(true);
    await desk.close(dialog);
    return together;
  }

  const ceiling = async (): Promise<Decimal> => (await market.bidAndAsk(page())).ceiling;
  const floor = async (): Promise<Decimal> => (await market.bidAndAsk(page())).floor;

  it('JRN-050 a GTT order says when it will end', async () => {
    await open(page(), DESKTOP, tradePath({ base: 'ETH', quote: 'USDT' }));
    const ticket = await desk.selectOrderType('Sell', 'Limit');
    await desk.choose(ticket, 'Time in force', 'GTT');
    await desk.choose(ticket, 'Expires', 'Custom');
    // The order must not expire before the test has read its details, even on a slow machine.
    const endsAt = minuteAfter(Date.now() + TIMEOUT.timeout);
    await fillIn(ticket, {
      Price: above(await desk.best('Ask'), UNREACHABLE_DISTANCE).toString(),
      Amount: '0.01',
      'Date and time': endsAt.toISOString().slice(0, 16),
    });
    await desk.send(ticket);
    await desk.waitForNewest('Open orders', { Pair: 'ETH/USDT', Type: 'Limit' });
    const dialog = await desk.details('Open orders');
    expect(await termOf(dialog, 'Time in force')).toContain(endsAt.toISOString().slice(11, 16));
    await desk.close(dialog);
    expect((await desk.balanceOf('ETH')).frozen).toEqual(decimal('0.01'));
    // The following tests use BTC/USDT, so the test switches back to it.
    await open(page(), DESKTOP, paths.trade);
    await page().getByRole('checkbox', { name: 'Hide other pairs' }).check();
    await desk.waitForOpenOrders(0);
  });

  it('JRN-051 a limit order rests until another user trades with it, and pays the maker fee', async () => {
    const ticket = await desk.selectOrderType('Buy', 'Limit');
    const wanted = (await desk.best('Bid')).plus(decimal('0.5'));
    await fillIn(ticket, { Price: wanted.toString(), Amount: '0.002' });
    await desk.send(ticket);
    await desk.waitForNewest('Open orders', { Type: 'Limit', Side: 'Buy', Filled: '0.00000' });
    await market.moveLast('sell', wanted);
    await filled({ Type: 'Limit', Side: 'Buy', Filled: '0.00200', Status: 'Filled' });
    await desk.waitForNewest('Trade history', { Side: 'Buy', Role: 'Maker' });
  });

  it('JRN-208 WEB-1115 an alert on an indicator is refused with the field that is wrong, and is listed after it is set', async () => {
    await page().getByRole('button', { name: 'Price alert for BTC/USDT' }).click();
    const dialog = page().getByRole('dialog', { name: 'Price alert for BTC/USDT' });
    const choose = (menu: string, label: string) =>
      dialog.getByRole('combobox', { name: menu }).selectOption({ label });
    const setAlert = () => dialog.getByRole('button', { name: 'Set alert' }).click();
    await choose('Notify me when the price', 'crosses above (averages, indicators)');
    await choose('Candle interval', '1m');
    await choose('Average or indicator', 'RSI and a level');
    await fillIn(dialog, { Level: '100' });
    await setAlert();
    await dialog.getByText(/Level of the indicator.*99/).waitFor();
    expect(await page().evaluate(unevenInputs)).toEqual([]);
    await choose('Average or indicator', 'Close and MA');
    await fillIn(dialog, { Candles: '1' });
    await setAlert();
    await dialog.getByText(/Number of candles.*2/).waitFor();
    expect(await dialog.getByText(CROSSING_LINE).count()).toBe(0);
    await fillIn(dialog, { Candles: '2' });
    // The alert notifies by email only, because another test counts the messages in the inbox.
    await dialog.getByRole('checkbox', { name: 'Inbox' }).uncheck();
    await dialog.getByRole('checkbox', { name: 'Email' }).check();
    await dialog
      .getByText('Notify me when a 1m candle of BTC/USDT closes above its MA(2) after one that did not.')
      .waitFor();
    await setAlert();
    await dialog.getByText(CROSSING_LINE).waitFor();
    await desk.close(dialog);
  });

  it('JRN-052 a post-only order is refused if it would trade at once, and rests otherwise', async () => {
    const ticket = await desk.selectOrderType('Buy', 'Limit');
    await ticket.getByText('More options').click();
    await ticket.getByRole('checkbox', { name: 'Post-only' }).check();
    await fillIn(ticket, { Price: above(await desk.best('Ask')).toString(), Amount: '0.001' });
    await desk.send(ticket);
    await waitForText(page(), /^This post-only order would have filled right away/);
    await desk.waitForOpenOrders(0);
    await fillIn(ticket, { Price: below(await desk.best('Bid'), UNREACHABLE_DISTANCE).toString() });
    await desk.send(ticket);
    await desk.waitForOpenOrders(1);
    const dialog = await desk.details('Open orders');
    expect(await termOf(dialog, 'Time in force')).toBe('GTC · Post-only');
    await desk.close(dialog);
    await page()
      .getByRole('button', { name: /^Cancel Buy order/ })
      .click();
    await desk.waitForOpenOrders(0);
  });

  it('DESK-147 DESK-148 DESK-149 DESK-151 a click in the armed ladder places an order, a drag moves it, a key cancels it', async () => {
    await open(page(), DESKTOP, `${tradePath({ base: 'BTC', quote: 'USDT' })}&view=ladder`);
    const armed = page().getByRole('switch', { name: 'Click to place' });
    const rowAt = (row: bigint) =>
      page().getByRole('row', { name: new RegExp(`^${formatNumber(Decimal.ofWhole(row))}( ·|$)`) });
    const ownAt = (row: bigint) => rowAt(row).filter({ has: page().getByTitle(/Drag to another price/) });
    // Each row of the ladder is a price in whole dollars. The order is placed a few dollars below the best bid, so that
    // it does not trade immediately.
    const chosen = Decimal.parse((await desk.best('Bid')).toPlaces(0)).toScaled(0) - 3n;
    await armed.check();
    await page().getByRole('group', { name: 'Order size' }).getByLabel('Amount').fill('0.001');
    await rowAt(chosen).getByRole('gridcell').nth(1).dblclick();
    await waitForText(page(), /^Order placed: buy 0\.001/);
    await desk.waitForNewest('Open orders', {
      Type: 'Limit',
      Side: 'Buy',
      Price: priceText(Decimal.ofWhole(chosen)),
    });
    await desk.waitForOpenOrders(1);

    await ownAt(chosen)
      .getByTitle(/Drag to another price/)
      .dragTo(rowAt(chosen - 2n));
    await page().getByRole('button', { name: 'Apply now' }).click();
    await desk.waitForNewest('Open orders', { Price: priceText(Decimal.ofWhole(chosen - 2n)) });
    await ownAt(chosen - 2n).waitFor();

    // The grid's cursor is still in the row in which the order was placed. Two rows below it is the row to which the
    // order was moved.
    await page().getByRole('grid').focus();
    await page().keyboard.press('ArrowDown');
    await page().keyboard.press('ArrowDown');
    await page().keyboard.press('Delete');
    await desk.waitForOpenOrders(0);
    await page().keyboard.press('Escape');
    await expect.poll(() => armed.isChecked(), TIMEOUT).toBe(false);
    await open(page(), DESKTOP, paths.trade);
    await desk.waitForOpenOrders(0);
  });

  it('JRN-053 an IOC order fills the available amount within its price and cancels the rest', async () => {
    const ticket = await desk.selectOrderType('Buy', 'Limit');
    await desk.choose(ticket, 'Time in force', 'IOC');
    const offered = (await desk.best('Bid')).plus(decimal('5'));
    await market.offer('sell', offered, decimal('0.02'));
    await fillIn(ticket, { Price: offered.toString(), Amount: '0.04' });
    await desk.send(ticket);
    await waitForText(page(), /^Bought 0\.02 BTC at an average of [\d,.]+ USDT\. The rest was canceled\.$/);
    await filled({ Type: 'Limit', Filled: '0.02000', Status: 'Partially filled, canceled' });
    await desk.waitForOpenOrders(0);
  });

  it('JRN-054 a FOK order is refused if it cannot be filled completely, and filled otherwise', async () => {
    const ticket = await desk.selectOrderType('Sell', 'Limit');
    await desk.choose(ticket, 'Time in force', 'FOK');
    await fillIn(ticket, {
      Amount: '0.05',
      Price: above(await desk.best('Bid'), decimal('0.0002')).toString(),
    });
    await desk.send(ticket);
    await waitForText(page(), 'The full amount cannot be filled at this price, so nothing was filled.');
    await fillIn(ticket, { Amount: '0.004', Price: below(await desk.best('Bid')).toString() });
    await desk.send(ticket);
    await filled({ Side: 'Sell', Filled: '0.00400', Status: 'Filled' });
  });

  it('JRN-055 market orders trade by amount and by total, and the balances are exact', async () => {
    const before = { btc: await desk.balanceOf('BTC'), usdt: await desk.balanceOf('USDT') };
    const best = (await floor()).plus(decimal('5'));
    await market.offer('buy', best, decimal('0.001'));
    const sale = await desk.selectOrderType('Sell', 'Market');
    await fillIn(sale, { Amount: '0.003' });
    const twoRows = best.minus(decimal('5').over(decimal('1.5'), 'up', 2));
    const average = async (): Promise<Decimal> => numberIn(await termOf(sale, 'Avg. price'));
    await expect.poll(average, TIMEOUT).toEqual(twoRows);
    await desk.send(sale);
    const sold = await filled({ Type: 'Market', Side: 'Sell', Filled: '0.00300', Status: 'Filled' });
    expect(sold.total.over(sold.amount, 'down', 2)).toEqual(twoRows);
    const buy = await desk.selectOrderType('Buy', 'Market');
    await buy.getByRole('combobox', { name: 'By amount / By total' }).selectOption('total');
    const thinBook = buy.getByText(/^Only [\d.]+\sBTC in the visible book/);
    await fillIn(buy, { Total: '9000' });
    await thinBook.waitFor();
    await fillIn(buy, { Total: '300' });
    await thinBook.waitFor({ state: 'detached' });
    await desk.send(buy);
    const bought = await filled({ Type: 'Market', Side: 'Buy', Status: 'Filled' });
    const usdt = before.usdt.available.plus(sold.total).minus(sold.fee).minus(bought.total);
    const btc = before.btc.available.minus(sold.amount).plus(bought.amount).minus(bought.fee);
    expect((await desk.balanceOf('USDT')).available).toEqual(usdt);
    expect((await desk.balanceOf('BTC')).available).toEqual(btc);
  });

  it('JRN-056 a trailing stop follows the price up and sells when it turns', async () => {
    const ticket = await desk.selectOrderType('Sell', 'Trailing stop');
    const activation = above(await ceiling(), decimal('0.0001'));
    const price = activation.toString();
    await fillIn(ticket, { 'Trailing delta': '0.2', 'Activation price': price, Amount: '0.003' });
    await ticket.getByText(/: If the last price falls 0\.20% from its high/).waitFor();
    await desk.send(ticket);
    await desk.waitForNewest('Conditional orders', { Type: 'Trailing stop', Price: 'Market' });
    const condition = async () => (await desk.rows('Conditional orders'))[0]?.['Trigger price'] ?? '';
    expect(await condition()).toContain(`Activates at ${priceText(activation)}`);
    await market.moveLast('buy', activation);
    await expect.poll(condition, TIMEOUT).toContain(`Activated at ${priceText(activation)}`);
    const stop = async () => numberIn(/≤ ([\d,.]+\d\d)/.exec(await condition())?.[1] ?? '');
    const first = await stop();
    const highest = first.over(decimal('0.998'), 'up', 2);
    await market.moveLast('buy', above(highest, decimal('0.0001')));
    await expect.poll(async () => (await stop()).isMore(first), TIMEOUT).toBe(true);
    await market.moveLast('sell', below(await stop(), decimal('0.0001')));
    await filled({ Type: 'Trailing stop', Side: 'Sell', Filled: '0.00300', Status: 'Filled' });
  });

  it('JRN-057 a stop-market order buys for a total once the price has risen', async () => {
    const ticket = await desk.selectOrderType('Buy', 'Stop-market');
    const stop = above(await ceiling());
    await ticket.getByRole('combobox', { name: 'By amount / By total' }).selectOption('total');
    await fillIn(ticket, { 'Trigger price': stop.toString(), Total: '250' });
    await desk.send(ticket);
    await desk.waitForNewest('Conditional orders', {
      Type: 'Stop-market',
      'Trigger price': `≥ ${priceText(stop)}`,
      Price: 'Market',
      Amount: '250.00 USDT',
    });
    expect((await desk.balanceOf('USDT')).frozen).toEqual(decimal('250'));
    await market.moveLast('buy', stop);
    const { total } = await filled({ Type: 'Stop-market', Side: 'Buy', Status: 'Filled' });
    expect(total.isMore(decimal('240')) && !total.isMore(decimal('250'))).toBe(true);
    expect((await desk.balanceOf('USDT')).frozen.isZero()).toBe(true);
  });

  it('JRN-058 a stop-limit order shows its condition and its amount, then trades within its limit', async () => {
    const ticket = await desk.selectOrderType('Sell', 'Stop-limit');
    const stop = below(await floor());
    const limit = below(stop, decimal('0.01'));
    await fillIn(ticket, {
      'Trigger price': stop.toString(),
      'Limit price': limit.toString(),
      Amount: '0.003',
    });
    await ticket.getByText(/^If the last price falls to .+ sell 0\.003\sBTC at .+ or higher\.$/).waitFor();
    await desk.send(ticket);
    await desk.waitForNewest('Conditional orders', {
      Type: 'Stop-limit',
      Side: 'Sell',
      'Trigger price': `≤ ${priceText(stop)}`,
      Price: priceText(limit),
      Amount: '0.00300 BTC',
    });
    expect((await desk.balanceOf('BTC')).frozen).toEqual(decimal('0.003'));
    await market.moveLast('sell', stop);
    await filled({ Type: 'Stop-limit', Side: 'Sell', Filled: '0.00300', Status: 'Filled' });
    expect((await desk.balanceOf('BTC')).frozen.isZero()).toBe(true);
    await desk.waitForNewest('Trade history', { Side: 'Sell', Role: 'Taker' });
  });

  it('JRN-059 a take-profit limit order sells once the price has risen', async () => {
    const ticket = await desk.selectOrderType('Sell', 'Take-profit limit');
    const stop = above(await ceiling());
    const limit = below(stop, decimal('0.01'));
    await fillIn(ticket, {
      'Trigger price': stop.toString(),
      'Limit price': limit.toString(),
      Amount: '0.002',
    });
    await desk.send(ticket);
    await desk.waitForNewest('Conditional orders', {
      Type: 'Take-profit limit',
      'Trigger price': `≥ ${priceText(stop)}`,
    });
    await market.moveLast('buy', stop);
    await filled({ Type: 'Take-profit limit', Side: 'Sell', Filled: '0.00200', Status: 'Filled' });
  });

  it('JRN-060 a take-profit market order buys once the price has fallen', async () => {
    const ticket = await desk.selectOrderType('Buy', 'Take-profit market');
    const stop = below(await floor());
    await fillIn(ticket, { 'Trigger price': stop.toString(), Amount: '0.002' });
    await desk.send(ticket);
    await desk.waitForNewest('Conditional orders', {
      Type: 'Take-profit market',
      'Trigger price': `≤ ${priceText(stop)}`,
    });
    await market.moveLast('sell', stop);
    await filled({ Type: 'Take-profit market', Side: 'Buy', Filled: '0.00200', Status: 'Filled' });
  });

  /**
   * Places an OCO that sells 0.002 BTC, with its limit price above the market and its trigger price below.
   * Returns both prices.
   */
  async function placeOco(more: Readonly<Record<string, string>> = {}) {
    const ticket = await desk.selectOrderType('Sell', 'OCO');
    const prices = { limit: above(await ceiling()), stop: below(await floor()) };
    await fillIn(ticket, {
      'Limit price': prices.limit.toString(),
      'Trigger price': prices.stop.toString(),
      Amount: '0.002',
      ...more,
    });
    await desk.send(ticket);
    await desk.waitForConditionalOrders(1);
    return prices;
  }

  it('JRN-061 the fill of an OCO’s limit leg ends its stop leg', async () => {
    const { limit, stop } = await placeOco();
    const [first, second] = await desk.rows('Conditional orders');
    expect(first).toMatchObject({ Type: 'OCO · Stop-market', 'Trigger price': `≤ ${priceText(stop)}` });
    expect(second).toMatchObject({ Type: 'OCO · Limit', Price: priceText(limit) });
    // For both legs of the OCO together the server freezes only the amount of one order.
    expect((await desk.balanceOf('BTC')).frozen).toEqual(decimal('0.002'));
    await market.moveLast('buy', limit);
    await desk.waitForConditionalOrders(0);
    await desk.waitForEnded(
      { Type: 'OCO · Limit', Status: 'Filled', Filled: '0.00200' },
      { Type: 'OCO · Stop-market', Status: 'Canceled', Filled: '0.00000' },
    );
    const dialog = await desk.details('Order history', 'OCO · Stop-market');
    await dialog.getByText('The other leg of the OCO traded or triggered first.').waitFor();
    await desk.close(dialog);
  });

  it('JRN-062 the trigger of an OCO’s stop leg ends its limit leg', async () => {
    const { stop } = await placeOco({ 'Stop-limit price': below(await floor(), decimal('0.01')).toString() });
    await desk.waitForNewest('Conditional orders', {
      Type: 'OCO · Stop-limit',
      'Trigger price': `≤ ${priceText(stop)}`,
    });
    await market.moveLast('sell', stop);
    await desk.waitForConditionalOrders(0);
    await desk.waitForEnded(
      { Type: 'OCO · Stop-limit', Status: 'Filled', Filled: '0.00200' },
      { Type: 'OCO · Limit', Status: 'Canceled', Filled: '0.00000' },
    );
  });

  it('JRN-063 one press cancels both legs of an OCO', async () => {
    await placeOco();
    await desk.show('Conditional orders');
    await page()
      .getByRole('button', { name: 'Cancel both legs of the Sell OCO of 0.002 BTC' })
      .first()
      .click();
    await desk.waitForConditionalOrders(0);
    await desk.waitForOpenOrders(0);
    await desk.waitForEnded(
      { Type: 'OCO · Limit', Status: 'Canceled' },
      { Type: 'OCO · Stop-market', Status: 'Canceled' },
    );
    expect((await desk.balanceOf('BTC')).frozen.isZero()).toBe(true);
  });

  it('JRN-131 a buy order with take-profit and stop-loss: both wait after the fill, and the take-profit is executed', async () => {
    const ticket = await desk.selectOrderType('Buy', 'Market');
    await ticket.getByRole('checkbox', { name: 'TP/SL' }).check();
    const [profit, loss] = [above(await ceiling()), below(await floor())];
    await ticket.getByRole('combobox', { name: 'By amount / By total' }).selectOption('amount');
    await fillIn(ticket, { Amount: '0.002', 'Take profit': loss.toString(), 'Stop loss': loss.toString() });
    await desk.send(ticket);
    await ticket
      .getByRole('alert')
      .getByText(/^Take profit must be above the entry price/)
      .waitFor();
    await fillIn(ticket, { 'Take profit': profit.toString() });
    await ticket.getByText(/^Take profit ≈ [+−][\d.]+\sUSDT$/).waitFor();
    await ticket.getByText(/^Stop loss ≈ −[\d.]+\sUSDT$/).waitFor();
    await desk.send(ticket);
    // The fee is deducted from the bought coins. The take-profit order sells the rest rounded down to the pair's amount
    // step, and the difference stays available.
    await desk.waitForEnded({ Type: 'Market', Side: 'Buy', Filled: '0.00200', Status: 'Filled' });
    await desk.waitForConditionalOrders(1);
    const dialog = await desk.details('Order history', 'Market');
    expect(await termOf(dialog, 'TP/SL')).toBe(`TP ${priceText(profit)} / SL ${priceText(loss)} · Placed`);
    await desk.close(dialog);
    const [first, second] = await desk.rows('Conditional orders');
    expect(first).toMatchObject({ Type: 'TP/SL · Stop-market', 'Trigger price': `≤ ${priceText(loss)}` });
    expect(second).toMatchObject({ Type: 'TP/SL · Limit', Price: priceText(profit) });
    await market.moveLast('buy', profit);
    await desk.waitForConditionalOrders(0);
    await desk.waitForEnded(
      { Type: 'TP/SL · Limit', Side: 'Sell', Status: 'Filled', Filled: '0.00199' },
      { Type: 'TP/SL · Stop-market', Status: 'Canceled' },
      // The purchase and the take-profit order may have the same creation time in milliseconds, so either can be in the
      // first row.
      { Type: 'Market', Side: 'Buy' },
    );
  });

  it('JRN-064 a changed order keeps its number and shows the change', async () => {
    const ticket = await desk.selectOrderType('Buy', 'Limit');
    const before = below(await floor(), UNREACHABLE_DISTANCE);
    const after = before.minus(decimal('100'));
    await fillIn(ticket, { Price: before.toString(), Amount: '0.001' });
    await desk.send(ticket);
    await desk.waitForOpenOrders(1);
    const id = await numberOf(await desk.details('Open orders'));

    await page()
      .getByRole('button', { name: /^Edit Buy order of 0\.001 BTC/ })
      .click();
    const change = page().getByRole('dialog', { name: 'Edit order' });
    const profit = above(after, decimal('0.1'));
    await fillIn(change, { Price: after.toString(), Amount: '0.002', 'Take profit': after.toString() });
    await change.getByText(/^Take profit must be above the entry price/).waitFor();
    await fillIn(change, { 'Take profit': profit.toString() });
    await change.getByText('The order moves to the back of the queue.').waitFor();
    await change.getByRole('button', { name: 'Edit order' }).click();
    await waitForText(page(), 'Order updated.');
    await desk.waitForNewest('Open orders', { Price: priceText(after), Amount: '0.00200 BTC' });
    expect((await desk.balanceOf('USDT')).frozen).toEqual(after.timesExact(decimal('0.002')));

    const dialog = await desk.details('Open orders');
    await dialog.getByText(`Price ${priceText(before)} → ${priceText(after)}`).waitFor();
    await dialog.getByText('Amount 0.001 → 0.002').waitFor();
    await dialog.getByText(`Take profit none → ${priceText(profit)}`).waitFor();
    expect(await numberOf(dialog)).toBe(id);

    await page()
      .getByRole('button', { name: /^Edit Buy order of 0\.002 BTC/ })
      .click();
    await fillIn(change, { 'Take profit': '' });
    await change.getByText('The order keeps its place in the queue.').waitFor();
    await change.getByRole('button', { name: 'Edit order' }).click();
    await desk.waitForNewest('Open orders', { Type: 'Limit' });
    const again = await desk.details('Open orders');
    await again.getByText(`Take profit ${priceText(profit)} → none`).waitFor();
    await desk.close(again);
  });

  /** Reads the order number in the open details and closes them. */
  async function numberOf(dialog: Locator): Promise<string> {
    const id = await termOf(dialog, 'Order ID');
    await desk.close(dialog);
    return id;
  }

  it('JRN-065 all orders of one side are cancelled at once, and all of both, waiting stops included', async () => {
    // A buy order of an earlier test still rests in the book, so there are more orders than this test places.
    const far = {
      low: below(await floor(), UNREACHABLE_DISTANCE).toString(),
      high: above(await ceiling(), UNREACHABLE_DISTANCE).toString(),
    };
    const sale = await desk.selectOrderType('Sell', 'Limit');
    await fillIn(sale, { Price: far.high, Amount: '0.001' });
    await desk.send(sale);
    await desk.waitForOpenOrders(2);
    const stop = await desk.selectOrderType('Sell', 'Stop-market');
    await fillIn(stop, { 'Trigger price': far.low, Amount: '0.001' });
    await desk.send(stop);
    await desk.waitForConditionalOrders(1);

    await desk.show('Open orders');
    await page().getByRole('button', { name: 'Cancel orders' }).click();
    await page()
      .getByRole('button', { name: /^Cancel buys/ })
      .click();
    const dialog = page().getByRole('dialog');
    await dialog.getByRole('button', { name: 'Cancel buys' }).click();
    await desk.waitForOpenOrders(1);
    await desk.waitForNewest('Open orders', { Side: 'Sell' });
    await page().getByRole('button', { name: 'Cancel all', exact: true }).click();
    await dialog.getByRole('button', { name: 'Cancel all' }).click();
    await waitForText(page(), /^2 orders canceled: (?:BTC\/USDT|all pairs)\.$/);
    await desk.waitForOpenOrders(0);
    await desk.waitForConditionalOrders(0);
  });

  it('JRN-066 the history is filtered by type, and its CSV file contains the rows of the table', async () => {
    await open(page(), DESKTOP, paths.records);
    await page().getByRole('combobox', { name: 'Type' }).selectOption({ label: 'Stop-market' });
    const table = page().getByRole('table', { name: 'Order history' });
    const types = async () =>
      new Set((await rowsOf(table)).map(({ Type = '' }) => Type.replace(/^(OCO|TP\/SL) · /, '')));
    await expect.poll(types, TIMEOUT).toEqual(new Set(['Stop-market']));
    const shown = await rowsOf(table);

    const file = await exported('Orders');
    expect(file.length).toBe(shown.length);
    file.forEach((row, at) => {
      const cells = shown[at] ?? {};
      expect(row['Type']).toBe('stopMarket');
      expect(row['Side']?.toLowerCase()).toBe(cells['Side']?.toLowerCase());
      expect(decimal(row['Filled'] ?? '')).toEqual(numberIn(cells['Filled'] ?? ''));
      expect(decimal(row['Fee'] ?? '')).toEqual(numberIn(cells['Fee'] ?? ''));
      // The CSV file contains the status in the spelling of the API, `cancelled`. The table spells it `canceled`.
      expect(row['Status']?.replace('cancelled', 'canceled')).toBe(cells['Status']?.toLowerCase());
    });
  });

  /** Returns the rows of the CSV file that the export dialog saves. */
  async function exported(what: 'Orders' | 'Trades'): Promise<Record<string, string>[]> {
    await page().getByRole('button', { name: 'Export CSV' }).click();
    const dialog = page().getByRole('dialog', { name: 'Export CSV' });
    await dialog.getByText(what, { exact: true }).click();
    const rows = await downloadRows(page(), dialog.getByRole('button', { name: 'Export', exact: true }));
    await dialog.getByText(/ saved\.$/).waitFor();
    await desk.close(dialog);
    return rows;
  }

  it('JRN-067 a price alert arrives in the inbox', async () => {
    await open(page(), DESKTOP, paths.trade);
    const bell = page().getByRole('link', { name: /^Unread messages: / });
    const unread = async () => Number(numberIn((await bell.getAttribute('aria-label')) ?? '').toString());
    await page().getByRole('button', { name: 'Price alert for BTC/USDT' }).click();
    const dialog = page().getByRole('dialog', { name: 'Price alert for BTC/USDT' });
    const level = above(await ceiling());
    await fillIn(dialog, { Price: level.toString() });
    await dialog.getByText(`Notify me when BTC/USDT trades at ${priceText(level)} USDT or higher.`).waitFor();
    await dialog.getByRole('button', { name: 'Set alert' }).click();
    await dialog.getByText(`≥ ${priceText(level)} USDT`).waitFor();
    await desk.close(dialog);
    const before = await unread();
    await market.moveLast('buy', level);
    await expect.poll(unread, TIMEOUT).toBe(before + 1);
    await bell.click();
    await page()
      .getByRole('listitem')
      .filter({ hasText: /BTC\/USDT.*USDT/s })
      .first()
      .waitFor();
  });

  it('JRN-068 a favourite still exists after logging out and in again', async () => {
    const guest = await openPerson(browser, exchange.origin, DESKTOP);
    const star = guest.page.getByRole('button', { name: /^Favorite / });
    await signInAsDemoTrader(guest.page);
    await open(guest.page, DESKTOP, paths.market);
    await guest.page.getByRole('button', { name: 'Favorite LTC/USDT' }).click();
    await guest.page.getByRole('button', { name: 'Account', exact: true }).click();
    await guest.page.getByRole('button', { name: 'Log out' }).click();
    await waitForText(guest.page, 'You have logged out.');
    await guest.page.evaluate(() => localStorage.clear());
    await signInAsDemoTrader(guest.page);
    await open(guest.page, DESKTOP, paths.market);
    await guest.page.getByRole('tab', { name: 'Favorites' }).click();
    await expect.poll(() => star.count(), TIMEOUT).toBe(1);
    expect(await star.getAttribute('aria-label')).toBe('Favorite LTC/USDT');
    expect(guest.complaints).toEqual([]);
    await guest.context.close();
  });

  it('JRN-069 the GTT order has expired at its time, and nothing of it stays frozen', async () => {
    await open(page(), DESKTOP, tradePath({ base: 'ETH', quote: 'USDT' }));
    const ended = { Pair: 'ETH/USDT', Status: 'Expired', Filled: '0.0000' };
    await desk.waitForNewest('Order history', ended, MINUTE_MS + 2 * TIMEOUT.timeout);
    await desk.waitForOpenOrders(0);
    expect((await desk.balanceOf('ETH')).frozen.isZero()).toBe(true);
    await open(page(), DESKTOP, paths.trade);
  });

  // The test waits for up to three closed candles, so the short form runs it with every fourth commit only.
  it.skipIf(!isLongForm && commitSeed % 4 !== 0)(
    'JRN-209 the crossing of the moving average is mailed after the close of a candle',
    async () => {
      // The trades of the tests before have usually moved the price over the average already. Otherwise a price that
      // falls and rises from minute to minute crosses it within three closed candles.
      const [low, high] = [below(await floor()), above(await ceiling())];
      const crossed = async () => {
        const mails = await mailsTo(nora.context, EMAIL);
        const found = mails.filter(({ subject }) => subject.endsWith('BTC/USDT closed above its MA(2) (1m)'));
        if (found.length > 0) return found.length;
        const isRising = Math.floor(Date.now() / MINUTE_MS) % 2 === 0;
        await market.moveLast(isRising ? 'buy' : 'sell', isRising ? high : low);
        return 0;
      };
      await expect.poll(crossed, { timeout: 5 * MINUTE_MS, interval: 2_000 }).toBe(1);
      await open(page(), DESKTOP, paths.trade);
      await page().getByRole('button', { name: 'Price alert for BTC/USDT' }).click();
      const dialog = page().getByRole('dialog', { name: 'Price alert for BTC/USDT' });
      await dialog.getByText('No alerts for BTC/USDT yet.').waitFor();
      await desk.close(dialog);
    },
  );

  it('JRN-070 nothing stays frozen, every balance follows from the trades, and the browser console has no errors', async () => {
    const [btc, usdt] = [await desk.balanceOf('BTC'), await desk.balanceOf('USDT')];
    expect([btc.frozen.isZero(), usdt.frozen.isZero()]).toEqual([true, true]);
    await desk.show('Trade history');
    let expected = { btc: decimal('0.05'), usdt: decimal('10000') };
    for (const row of await exported('Trades')) {
      const number = (heading: string): Decimal => decimal(row[heading] ?? '');
      const [amount, total, fee] = [number('Amount'), number('Total'), number('Fee')];
      expected =
        row['Side'] === 'buy'
          ? { btc: expected.btc.plus(amount).minus(fee), usdt: expected.usdt.minus(total) }
          : { btc: expected.btc.minus(amount), usdt: expected.usdt.plus(total).minus(fee) };
    }
    expect({ btc: btc.available, usdt: usdt.available }).toEqual(expected);
    expect(nora.complaints).toEqual([]);
  });
});

/** Conditional orders on a phone with touch. */
describe('conditional orders on the mobile site', () => {
  let otis: Person;
  const page = () => otis.page;
  reportSteps();

  beforeAll(async () => {
    otis = await openPerson(browser, exchange.origin, PHONE);
    await open(page(), PHONE, paths.register);
    await signUp(otis, 'otis.vale@example.com');
    await open(page(), PHONE, paths.assets);
    await tap('Get demo funds');
    await waitForText(page(), /^Demo funds added: 10,000 USDT/);
    await open(page(), PHONE, paths.trade);
  });
  afterAll(() => closeProfiles(browser));

  const tap = (name: string | RegExp) => page().getByRole('button', { name }).tap();
  const sheet = (name: string) => page().getByRole('dialog', { name });
  const tab = (name: string) => page().getByRole('tab', { name });
  const cards = () => page().getByRole('region', { name: 'Orders' }).getByRole('listitem');

  /** Selects side and type, and fills in the order form. */
  async function fillTicket(side: 'Buy' | 'Sell', type: string, fields: Readonly<Record<string, string>>) {
    await page().getByRole('radiogroup', { name: 'Side' }).getByText(side, { exact: true }).tap();
    await tap(/^Order type: /);
    await sheet('Order type').getByText(type, { exact: true }).tap();
    await sheet('Order type').waitFor({ state: 'detached' });
    await fillIn(page().getByRole('main'), fields);
  }

  /** Opens the details of the first card of a list. Returns their text. */
  async function detailsOf(list: 'Open' | 'Conditional' | 'History'): Promise<string> {
    await tab(list).tap();
    await cards()
      .first()
      .getByRole('link', { name: /details$/ })
      .tap();
    await page().getByRole('heading', { name: 'Order details' }).waitFor();
    await page().getByText('Order ID').waitFor();
    return page().getByRole('main').innerText();
  }

  /** Goes back from the order's details to the screen with the order form. */
  async function goBack(): Promise<void> {
    await tap('Back');
    await page().getByRole('region', { name: 'Order book' }).waitFor();
  }

  it('JRN-071 a stop-limit order waits with its condition and trades once the price has reached it', async () => {
    const stop = below((await market.bidAndAsk(page())).floor);
    const limit = below(stop, Decimal.parse('0.01'));
    await fillTicket('Sell', 'Stop-limit', {
      Trigger: stop.toString(),
      Price: limit.toString(),
      Amount: '0.002',
    });
    await page()
      .getByText(/^If the last price falls to .+ sell 0\.002\sBTC at .+ or higher\.$/)
      .waitFor();
    await tap('Sell BTC');
    await waitForText(
      page(),
      /^Conditional order placed: sell 0\.002 BTC at [\d,.]+ USDT when the price is ≤ [\d,.]+ USDT\.$/,
    );
    await tab('Conditional (1)').tap();
    await cards()
      .first()
      .getByText(`≤ ${priceText(stop)}`)
      .waitFor();
    await market.moveLast('sell', stop);
    await tab('Conditional (0)').waitFor();
    await tab('History').tap();
    await cards().first().getByText('Filled', { exact: true }).first().waitFor();
    expect(await cards().first().innerText()).toMatch(/Sell Stop-limit/);
  });

  it('JRN-072 the details of an order show its fills, its fee and the received amount', async () => {
    const text = await detailsOf('History');
    expect(text).toMatch(/Stop-limit/);
    expect(text).toMatch(/Fills of this order[\s\S]+Taker/);
    expect(text).toMatch(/Fee\s+[\d.]+\s*USDT/);
    expect(text).toMatch(/Received\s+[\d.,]+\s*USDT/);
    await goBack();
  });

  it('JRN-073 an OCO is one card, and the fill of its limit leg ends its stop leg', async () => {
    const { floor, ceiling } = await market.bidAndAsk(page());
    const [limit, stop] = [above(ceiling), below(floor)];
    await fillTicket('Sell', 'OCO', {
      Limit: limit.toString(),
      Trigger: stop.toString(),
      Amount: '0.002',
    });
    await tap('Sell BTC');
    await waitForText(
      page(),
      /^OCO placed: sell 0\.002 BTC at [\d,.]+ USDT, or sell 0\.002 BTC at market when the price is ≤ [\d,.]+ USDT\.$/,
    );
    await tab('Conditional (1)').tap();
    await cards().first().getByText(priceText(limit)).waitFor();
    await cards()
      .first()
      .getByText(`≤ ${priceText(stop)}`)
      .waitFor();
    await market.moveLast('buy', limit);
    await tab('Conditional (0)').waitFor();
    await tab('History').tap();
    const ended = async () => (await cards().allInnerTexts()).slice(0, 2).sort().join('\n');
    await expect.poll(ended, TIMEOUT).toMatch(/OCO · Limit\s+Filled[\s\S]+OCO · Stop-market\s+Canceled/);
  });

  it('JRN-074 an order is changed on its card and keeps its number', async () => {
    const { floor } = await market.bidAndAsk(page());
    const [before, after] = [
      below(floor, UNREACHABLE_DISTANCE),
      below(floor, UNREACHABLE_DISTANCE).minus(Decimal.parse('100')),
    ];
    await fillTicket('Buy', 'Limit', { Price: before.toString(), Amount: '0.001' });
    await tap('Buy BTC');
    await tab('Open (1)').waitFor();
    const number = /Order ID\s+(\S+)/;
    const [, id = ''] = number.exec(await detailsOf('Open')) ?? [];
    await goBack();
    await tap(/^Edit Buy order/);
    const loss = below(after, Decimal.parse('0.1'));
    const exits = { 'Stop loss': loss.toString() };
    await fillIn(sheet('Edit order'), { Price: after.toString(), Amount: '0.002', ...exits });
    await sheet('Edit order')
      .getByText(/^Stop loss ≈ −[\d.,]+\sUSDT$/)
      .waitFor();
    await sheet('Edit order').getByText('The order moves to the back of the queue.').waitFor();
    await sheet('Edit order').getByRole('button', { name: 'Edit order' }).tap();
    await waitForText(page(), 'Order updated.');
    await cards().first().getByText(priceText(after)).waitFor();
    expect(number.exec(await detailsOf('Open'))?.[1]).toBe(id);
    await waitForText(page(), `Price ${priceText(before)} → ${priceText(after)}`);
    await waitForText(page(), 'Amount 0.001 → 0.002');
    await waitForText(page(), `Stop loss none → ${priceText(loss)}`);
    await goBack();
  });

  it('JRN-075 a sheet cancels all open and conditional orders, and nothing stays frozen', async () => {
    const { floor } = await market.bidAndAsk(page());
    await fillTicket('Sell', 'Stop-market', {
      Trigger: below(floor, UNREACHABLE_DISTANCE).toString(),
      Amount: '0.001',
    });
    await tap('Sell BTC');
    await tab('Conditional (1)').waitFor();
    await tap('Cancel all');
    await tap('Cancel 2');
    await waitForText(page(), /^2 orders canceled: (?:BTC\/USDT|all pairs)\.$/);
    await tab('Open (0)').waitFor();
    await tab('Conditional (0)').waitFor();
    await open(page(), PHONE, paths.assets);
    await page().getByText('BTC').first().waitFor();
    expect(await page().getByText('On hold').count()).toBe(0);
  });

  it('JRN-076 a price alert is set by touch and arrives in the inbox', async () => {
    await open(page(), PHONE, paths.trade);
    await tap('Price alert for BTC/USDT');
    const alert = sheet('Price alert for BTC/USDT');
    const level = below((await market.bidAndAsk(page())).floor);
    await fillIn(alert, { Price: level.toString() });
    await alert.getByText(`Notify me when BTC/USDT trades at ${priceText(level)} USDT or lower.`).waitFor();
    await alert.getByRole('button', { name: 'Set alert' }).tap();
    await alert.getByText(`≤ ${priceText(level)} USDT`).waitFor();
    await market.moveLast('sell', level);
    await alert.getByText(`≤ ${priceText(level)} USDT`).waitFor({ state: 'detached' });
    await open(page(), PHONE, paths.messages);
    await page()
      .getByText(/BTC\/USDT/)
      .first()
      .waitFor();
  });

  it('JRN-210 WEB-1115 an alert on an indicator is set and removed by touch', async () => {
    await open(page(), PHONE, paths.trade);
    await tap('Price alert for BTC/USDT');
    const alert = sheet('Price alert for BTC/USDT');
    await alert
      .getByRole('combobox', { name: 'Notify me when the price' })
      .selectOption({ label: 'crosses below (averages, indicators)' });
    await alert
      .getByRole('combobox', { name: 'Average or indicator' })
      .selectOption({ label: 'RSI and a level' });
    await alert.getByRole('combobox', { name: 'Candle interval' }).selectOption({ label: '1m' });
    await fillIn(alert, { Candles: '14', Level: '100' });
    await alert.getByRole('button', { name: 'Set alert' }).tap();
    await alert
      .getByRole('alert')
      .filter({ hasText: /Level of the indicator.*99/ })
      .waitFor();
    expect(await page().evaluate(unevenInputs)).toEqual([]);
    await fillIn(alert, { Level: '30' });
    await alert
      .getByText('Notify me when, with a closed 1m candle of BTC/USDT, RSI(14) crosses below 30.')
      .waitFor();
    await alert.getByRole('button', { name: 'Set alert' }).tap();
    const line = alert.getByText('If RSI(14) crosses below 30 · 1m');
    await line.waitFor();
    await alert.getByRole('button', { name: 'Remove the alert for BTC/USDT' }).tap();
    await line.waitFor({ state: 'detached' });
  });

  it('MOB-119 does not move the layout while an amount is typed, in any language and on a narrow phone', async () => {
    const tab = await otis.context.newPage();
    await open(tab, PHONE);
    await open(page(), PHONE, paths.trade);
    const form = page().getByRole('main').locator('form').first();
    const lines = () =>
      form.evaluate((ticket) =>
        [...ticket.querySelectorAll('dl > div, [type="submit"]')].map(
          (one) => one.getBoundingClientRect().top - ticket.getBoundingClientRect().top,
        ),
      );
    for (const locale of [...LOCALES.slice(1), LOCALES[0]]) {
      await switchLanguage(page(), tab, locale);
      for (const width of [360, PHONE.width]) {
        // The window is twice as high as a phone, so that the screen does not scroll and the button does not stick to
        // the bottom edge.
        await page().setViewportSize({ width, height: 2 * PHONE.height });
        for (const side of ['buy', 'sell']) {
          await form.locator(`input[value="${side}"]`).check({ force: true });
          const amount = form.getByRole('textbox').nth(1);
          const before = await lines();
          for (const typed of ['0.001', '0.01234']) {
            await amount.fill(typed);
            expect([locale, width, side, typed, await lines()]).toEqual([locale, width, side, typed, before]);
          }
          await amount.fill('');
        }
      }
    }
    await form.locator('input[value="buy"]').check({ force: true });
    await page().setViewportSize({ width: PHONE.width, height: PHONE.height });
    await tab.close();
  });

  it('JRN-077 has logged no errors in the browser console', () => {
    expect(otis.complaints).toEqual([]);
  });
});

/** Returns the first full minute at or after a time in milliseconds UTC. Date fields only accept full minutes. */
function minuteAfter(ms: number): Date {
  return new Date(Math.ceil(ms / MINUTE_MS) * MINUTE_MS);
}
