import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paths } from '@exchange/web-kit/paths.ts';
import { isSelectedByCommit } from '../tools/test-form.ts';
import { acceptQuote, waitForTextIn } from './fixtures/actions.ts';
import { closeProfiles, DESKTOP, open, type Person, openPerson, sharedBrowser } from './fixtures/browser.ts';
import { TradingScreen } from './fixtures/trading-screen.ts';
import { sharedExchange, type SharedExchange } from './fixtures/exchange.ts';
import { numberIn } from './fixtures/text-reading.ts';
import { placesOfButton } from './fixtures/button-position.ts';
import { reportSteps } from './fixtures/steps.ts';

const TRADE_PASSWORD = '258036';
const ADDRESS = 'TEPgD9WJn7EqN7SaxM2WMxCzC9GDPG8GZC';
/** Maximum number of presses of Tab. It is larger than the number of focusable elements on any screen. */
const STOPS_MAX = 400;

/** Actions of a user who only uses the keyboard and a screen reader. */
class Keys {
  private readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /**
   * Presses Tab until an element has the focus. Throws if the focus is not visible on the element, its parent
   * or its grandparent, or if `STOPS_MAX` presses do not lead to the element.
   */
  async to(what: Locator): Promise<void> {
    await what.waitFor();
    for (let stops = 0; stops < STOPS_MAX; stops += 1) {
      const [isThere, isSeen] = await what.evaluate(focusOn);
      if (isThere && !isSeen) throw new Error(`Nobody sees that ${String(what)} has the focus.`);
      if (isThere) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`The Tab key does not lead to ${String(what)}.`);
  }

  async press(what: Locator, key = 'Enter'): Promise<void> {
    await this.to(what);
    await this.page.keyboard.press(key);
  }

  async type(what: Locator, text: string): Promise<void> {
    await this.to(what);
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.type(text);
  }

  /** Waits until a live region announces the sentence. */
  async hears(text: string | RegExp): Promise<void> {
    await waitForTextIn(this.page.locator('[role="status"], [role="alert"], [aria-live]'), text);
  }

  /** Waits until an opened dialog has the focus, and checks that the focus stays inside during 30 presses of Tab. */
  async isHeldIn(dialog: Locator): Promise<void> {
    await dialog.locator(':focus').waitFor();
    for (let stops = 0; stops < 30; stops += 1) {
      await this.page.keyboard.press('Tab');
      if ((await dialog.locator(':focus').count()) === 0)
        throw new Error(`${String(dialog)} has lost the focus.`);
    }
  }
}

/**
 * Runs inside the page. Returns whether an element has the focus, and whether the focus is visible on the element, its
 * parent or its grandparent.
 */
function focusOn(element: Element): [isThere: boolean, isSeen: boolean] {
  const marks = (one: Element | null, up: number): boolean => {
    if (one === null || up < 0) return false;
    const { outlineStyle, boxShadow } = getComputedStyle(one);
    return outlineStyle !== 'none' || boxShadow !== 'none' || marks(one.parentElement, up - 1);
  };
  return [element === document.activeElement, marks(element, 2)];
}

describe('the main journeys without a pointer', () => {
  let exchange: SharedExchange;
  let browser: Browser;
  let person: Person;
  let keys: Keys;
  const page = () => person.page;
  const button = (name: string | RegExp) => page().getByRole('button', { name, exact: true });
  reportSteps();

  beforeAll(async () => {
    [exchange, browser] = await Promise.all([sharedExchange(), sharedBrowser()]);
    person = await openPerson(browser, exchange.origin, DESKTOP);
    keys = new Keys(person.page);
  });
  afterAll(async () => {
    await closeProfiles(browser);
    exchange.assertNoErrors();
  });

  it('JRN-150 logs in', async () => {
    await open(page(), DESKTOP, '/login/login');
    await keys.press(button('Use the demo account'));
    await keys.hears('Welcome back.');
  });

  it.runIf(isSelectedByCommit(0, 5))('JRN-150 trades', async () => {
    await open(page(), DESKTOP, paths.trade);
    const kind = (name: string) => page().getByRole('tab', { name, exact: true });
    await keys.press(kind('Limit'), 'ArrowRight');
    await keys.press(kind('Market'), 'Space');
    const ticket = page().getByRole('form', { name: 'Buy', exact: true });
    await keys.type(ticket.getByLabel('Total', { exact: true }), '100');
    await keys.press(ticket.getByRole('button', { name: 'Buy BTC' }));
    await keys.hears(/^Bought /);
  });

  it('JRN-178 selects a price in the book with the arrow keys, and announces the cumulative amount', async () => {
    await open(page(), DESKTOP, paths.trade);
    await page().getByRole('tab', { name: 'Limit', exact: true }).click();
    const bids = page().getByRole('button', { name: /^Bid / });
    await bids.first().focus();
    await page().keyboard.press('ArrowDown');
    await page().keyboard.press('ArrowDown');
    await page().getByRole('tooltip').getByText('Slippage').waitFor();
    const third = bids.nth(2);
    expect(await third.evaluate((element) => element === document.activeElement)).toBe(true);
    // Prices change, so a function in the page records which price the row shows when Enter is pressed on it. The label
    // of the row is updated at most once a second.
    await third.evaluate((row) => {
      const note = () => {
        const columns = [...(row.closest('[role=group]')?.querySelectorAll('pre') ?? [])];
        const prices = columns.find((column) => /\d/.test(column.textContent)) ?? row;
        document.body.setAttribute('data-chosen', prices.textContent.split('\n')[2] ?? '');
      };
      row.addEventListener('click', note, { capture: true, once: true });
    });
    await page().keyboard.press('Enter');
    const chosen = async () => (await page().locator('body').getAttribute('data-chosen')) ?? '';
    await expect.poll(chosen).toMatch(/^[\d,]+\.\d\d$/);
    const price = page().getByRole('form', { name: 'Buy', exact: true }).getByLabel('Price', { exact: true });
    await expect.poll(async () => numberIn(await price.inputValue())).toEqual(numberIn(await chosen()));
  });

  it('DESK-034 Tab and F6 lead through the panels of the desk as they are placed', async () => {
    await open(page(), DESKTOP, paths.desk);
    const panels = page().locator('.dv-groupview');
    await panels
      .last()
      .getByRole('tab', { name: /^Order form/ })
      .waitFor();
    const places = await panels.evaluateAll((groups) =>
      groups.map((group) => {
        const { left, top } = group.getBoundingClientRect();
        return [group.getAttribute('aria-label'), left, top] as const;
      }),
    );
    // In the standard layout the panels form columns. The expected order is therefore by column, and within a column
    // from top to bottom.
    const expected = places.toSorted(([, x, y], [, otherX, otherY]) => x - otherX || y - otherY);
    const names = expected.map(([name]) => name);
    expect(names).toHaveLength(6);
    for (const key of ['F6', 'Tab']) {
      await panels.first().getByRole('tab', { selected: true }).click();
      const visited: (string | null)[] = [];
      for (let presses = 0; presses < STOPS_MAX && visited.length < names.length; presses += 1) {
        const name = await page().evaluate(
          () => document.activeElement?.closest('.dv-groupview')?.getAttribute('aria-label') ?? null,
        );
        if (name !== visited.at(-1)) visited.push(name);
        await page().keyboard.press(key);
      }
      expect(visited, key).toEqual(names);
    }
  });

  it('WEB-1111 tabs of orders are beside or above their tools, and the arrow keys bring each into view', async () => {
    // On the desk the list of the order tabs is too narrow to show all tabs at the same time.
    const list = page().getByRole('tablist', { name: 'Orders', exact: true });
    const tools = page().getByText('Hide other pairs', { exact: true });
    const [tabsBox, toolsBox] = [await list.boundingBox(), await tools.boundingBox()];
    if (tabsBox === null || toolsBox === null) throw new Error('The list of orders has no tabs or tools.');
    const isBeside = tabsBox.x + tabsBox.width <= toolsBox.x;
    expect(isBeside || tabsBox.y + tabsBox.height <= toolsBox.y).toBe(true);
    await list.getByRole('tab').first().focus();
    await page().keyboard.press('ArrowLeft');
    const last = list.getByRole('tab', { name: 'Balances', exact: true });
    await expect.poll(() => last.evaluate((tab) => tab === document.activeElement)).toBe(true);
    const lastBox = await last.boundingBox();
    const listBox = await list.boundingBox();
    expect(lastBox!.x + lastBox!.width).toBeLessThanOrEqual(listBox!.x + listBox!.width + 1);
  });

  it('JRN-175 typing into any order form does not move its button', async () => {
    await open(page(), DESKTOP, paths.trade);
    // In the short form each commit checks one of these window widths. The long form checks all of them.
    const widths = [1_300, 1_440, 1_920].filter((_, at, all) => isSelectedByCommit(at, all.length));
    for (const width of widths) {
      await page().setViewportSize({ width, height: 900 });
      for (const kind of ['Limit', 'Market', 'OCO', 'Trailing stop']) {
        const ticket = await new TradingScreen(page()).selectOrderType('Buy', kind);
        expect(await placesOfButton(ticket), `${kind} at ${width}`).toHaveLength(1);
      }
    }
    await page().setViewportSize(DESKTOP);
  });

  it.runIf(isSelectedByCommit(1, 5))('JRN-150 buys a product, and returns the focus', async () => {
    await open(page(), DESKTOP, paths.finance);
    const buy = button('Buy USDT 30 days');
    await keys.press(buy);
    const dialog = page().getByRole('dialog');
    await keys.isHeldIn(dialog);
    await keys.type(dialog.getByLabel('Amount', { exact: true }), '100');
    await keys.press(dialog.getByRole('checkbox'), 'Space');
    await keys.type(dialog.getByLabel('Trade password', { exact: true }), TRADE_PASSWORD);
    await page().keyboard.press('Enter');
    await dialog.getByText('You subscribed 100 USDT to USDT 30 days.').waitFor();
    await page().keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => buy.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it.runIf(isSelectedByCommit(2, 5))('JRN-150 opens a position of seconds', async () => {
    await open(page(), DESKTOP, paths.seconds);
    await keys.type(page().getByLabel('Amount', { exact: true }), '10');
    await keys.press(page().getByRole('button', { name: /^Up/ }));
    await keys.hears('Position opened');
  });

  it.runIf(isSelectedByCommit(3, 5))('JRN-150 converts', async () => {
    await open(page(), DESKTOP, paths.convert);
    await keys.type(page().getByLabel('From', { exact: true }), '50');
    await keys.press(button('Get quote'));
    await acceptQuote(page(), (accept) => keys.press(accept));
    await page().getByText('Converted', { exact: false }).first().waitFor();
  });

  it.runIf(isSelectedByCommit(4, 5))('JRN-150 reviews a withdrawal, and cancels it', async () => {
    await open(page(), DESKTOP, paths.withdraw);
    await keys.type(page().getByLabel('Address', { exact: true }), ADDRESS);
    await keys.type(page().getByLabel('Amount', { exact: true }), '20');
    const on = button('Continue');
    await keys.press(on);
    const review = page().getByRole('dialog', { name: 'Review withdrawal' });
    await keys.isHeldIn(review);
    await page().keyboard.press('Escape');
    await review.waitFor({ state: 'detached' });
    await expect.poll(() => on.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});
