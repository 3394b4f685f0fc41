import type { Page, Route } from 'playwright-core';
import { TIMEOUT_MS } from './browser.ts';
import { goToArea, openDeed, type Scene } from './console.ts';

const SHORT = {
  asset: 'ETH',
  state: 'short',
  coveragePercent: '90',
  owedToUsers: '1000',
  held: '900',
  difference: '-100',
  ownedByHouse: '20',
};
const UNKNOWN = {
  asset: 'USDT',
  state: 'not known',
  coveragePercent: '',
  owedToUsers: '1234567.891',
  held: '',
  difference: '',
  ownedByHouse: '0',
  note: 'TRC20 is looked at by people',
};
const COVERED = { ...SHORT, asset: 'BTC', state: 'covered', held: '2000', difference: '1000' };

/** A health response with failures. */
const BAD_DAY = {
  status: 'down',
  mode: 'demo',
  version: '0',
  uptimeSeconds: 60,
  components: {
    database: { isUp: true, facts: { connections: 12, waiting: 0 } },
    sequencer: { isUp: false, isStandby: true, reason: 'another server is the writer' },
    'price sources': { isUp: false, reason: 'only 2 of 6 sources are heard', facts: { heard: 2 } },
    chains: { isUp: false, reason: 'the node does not answer', facts: { height: 21_000_000 } },
    finance: { isUp: true, facts: { late: 'none' } },
    disk: {
      isUp: false,
      reason: 'the data folder has 0.9 GiB free (1 %)',
      facts: { data: '0.9 GiB free (1 %)' },
    },
    mail: {
      isUp: false,
      reason:
        '12345 mails wait, the oldest for 9 minutes; the mail server last failed: nothing answers at its address and port (ECONNREFUSED)',
      facts: { waiting: 12_345, oldest: '2026-01-01T00:00:00.000Z', lastSent: 'none since the start' },
    },
    reserves: { isUp: false, reason: 'interest USDT covers 3 days, so no more is sold until it is funded' },
    proofs: { isUp: true, isUnmeasured: true, facts: { last: 'not yet' } },
    coverage: {
      isUp: false,
      reason: 'ETH: 900 held for 1000 owed, 100 missing',
      facts: { covered: '1 of 3 coins', unknown: 1 },
      rows: [SHORT, UNKNOWN, COVERED],
    },
  },
};

const badDay = (route: Route) => route.fulfill({ status: 503, json: BAD_DAY });
const hold = () => undefined;
const abort = (route: Route) => route.abort();
const cancel = (page: Page) => page.getByRole('button', { name: 'Cancel', exact: true }).click();
const asUsersSee = (page: Page) => page.getByRole('region', { name: 'As users would see it' });
const reload = (page: Page) => page.getByRole('button', { name: 'Reload' }).click();

/** Dialogs and error states of the console that opening the areas does not show. */
export const SCENES: readonly Scene[] = [
  {
    name: 'bad-day',
    isComplained: true,
    open: async (page) => {
      await page.route('**/health', badDay);
      await page.evaluate(() => (location.hash = '#overview'));
      await page.reload();
      await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
      await page.getByRole('link', { name: /^Overview ?6 not up$/ }).waitFor();
      await page.getByText('12,345 mails wait, the oldest for 9 minutes').waitFor();
      await page.getByRole('region', { name: 'Health' }).getByText('not measured yet').waitFor();
    },
    close: async (page) => {
      await page.unroute('**/health');
      await page.getByRole('link', { name: 'Runbook: Mail · Parts of health' }).click();
      await page.getByRole('row').filter({ hasText: 'none has left meanwhile' }).waitFor();
      await page.reload();
    },
  },
  {
    name: 'preview',
    open: async (page) => {
      await goToArea(page, 'Earn');
      const form = await openDeed(page, 'Publish a product');
      await form.getByLabel('Daily rate').fill('0.0345');
      await form.getByLabel(/^Name \(Japanese\)/).fill('');
      await form.getByLabel('Reason (kept permanently)').fill('a scene');
      await form.getByRole('button', { name: 'Preview' }).click();
      await asUsersSee(page).getByRole('article').waitFor();
    },
  },
  ...['简体中文', '한국어', '日本語'].map((language): Scene => ({
    name: `preview-${language}`,
    open: async (page) => {
      await asUsersSee(page).getByRole('button', { name: language }).click();
      await asUsersSee(page).getByRole('article').waitFor();
    },
  })),
  {
    name: 'code-wrong',
    isComplained: true,
    open: async (page) => {
      await page.getByLabel('Authenticator code').fill('000000');
      await page.getByRole('button', { name: 'Confirm' }).click();
      await page.getByRole('alert').filter({ hasText: 'Incorrect authenticator code' }).waitFor();
    },
    close: cancel,
  },
  {
    name: 'versions',
    open: async (page) => {
      await page.getByRole('button', { name: 'Versions' }).click();
      await page
        .getByRole('list', { name: 'Versions' })
        .getByRole('button', { name: /^What it said/ })
        .click();
      await page.getByRole('region', { name: 'What it said' }).waitFor();
    },
  },
  {
    name: 'invitation',
    open: async (page) => {
      await goToArea(page, 'Operators');
      await openDeed(page, 'Invite somebody');
      await page.getByRole('group', { name: 'Roles' }).waitFor();
    },
    close: cancel,
  },
  {
    name: 'documents',
    open: async (page) => {
      await goToArea(page, 'Identity');
      await page.getByRole('button', { name: 'Show documents' }).click();
      await page.getByRole('img').first().waitFor();
    },
  },
  {
    name: 'user',
    open: async (page) => {
      await goToArea(page, 'Users');
      await page.getByRole('cell').getByRole('link', { name: /@/ }).first().click();
      await page.getByRole('button', { name: 'Balances' }).waitFor();
      await page.getByText('Profile').click();
    },
  },
  ...['Entries', 'Security', 'Messages'].map((part): Scene => ({
    name: `user-${part}`,
    open: (page) => page.getByRole('button', { name: part, exact: true }).click(),
  })),
  {
    name: 'palette',
    open: async (page) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('demo.trader');
      await page.keyboard.press('Enter');
      await page.getByRole('option', { name: /demo\.trader@/ }).waitFor();
    },
    close: (page) => page.keyboard.press('Escape'),
  },
  {
    name: 'shortcuts',
    open: async (page) => {
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor();
    },
    close: (page) => page.keyboard.press('Escape'),
  },
  {
    name: 'list-unmatched',
    open: async (page) => {
      await goToArea(page, 'Price sources');
      await page.getByRole('searchbox').fill('no such row');
      await page.getByText('No rows match the filter.').waitFor();
    },
    close: (page) => page.getByRole('button', { name: 'Clear the filter' }).click(),
  },
  {
    name: 'list-failed',
    isComplained: true,
    open: async (page) => {
      await page.route('**/ops/sources', abort);
      await reload(page);
      await page.getByRole('button', { name: 'Try again' }).waitFor();
    },
    close: (page) => page.unroute('**/ops/sources'),
  },
  {
    name: 'list-loading',
    isLoading: true,
    isComplained: true,
    open: async (page) => {
      await goToArea(page, 'Overview');
      await page.route('**/ops/sources', hold);
      await goToArea(page, 'Price sources');
      await page.locator('[aria-busy="true"]').waitFor({ timeout: TIMEOUT_MS });
    },
    close: async (page) => {
      await page.unroute('**/ops/sources');
      await goToArea(page, 'Overview');
    },
  },
  {
    name: 'session-over',
    isComplained: true,
    open: async (page) => {
      await goToArea(page, 'Pairs');
      const form = await openDeed(page, 'Change status');
      await form.getByLabel('Reason (kept permanently)').fill('half a thought');
      await page.context().clearCookies();
      await reload(page);
      await page.getByRole('dialog', { name: 'Sign in' }).waitFor();
    },
  },
];
