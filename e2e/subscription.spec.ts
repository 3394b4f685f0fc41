import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paths } from '@exchange/web-kit/paths.ts';
import { waitForText, signInAsDemoTrader } from './fixtures/actions.ts';
import {
  closeProfiles,
  DESKTOP,
  open,
  type Person,
  PHONE,
  openPerson,
  sharedBrowser,
} from './fixtures/browser.ts';
import { sharedExchange, type SharedExchange } from './fixtures/exchange.ts';
import { reportSteps } from './fixtures/steps.ts';

const TRADE_PASSWORD = '258036';

/**
 * The demo trader increases a commitment and claims released tokens of an ended sale, each on both sites, and
 * verifies an allocation on the phone.
 */
describe('a subscription from the commitment to the claim', () => {
  let exchange: SharedExchange;
  let browser: Browser;
  let person: Person;
  let phone: Person;
  const page = () => person.page;
  reportSteps();

  beforeAll(async () => {
    [exchange, browser] = await Promise.all([sharedExchange(), sharedBrowser()]);
    person = await openPerson(browser, exchange.origin, DESKTOP);
    phone = await openPerson(browser, exchange.origin, PHONE);
  });
  afterAll(async () => {
    await closeProfiles(browser);
    exchange.assertNoErrors();
  });

  it('SUB-001 SUB-012 shows every state to a visitor, and accepts a commitment of a signed-in user', async () => {
    await open(page(), DESKTOP, paths.subscribe);
    for (const name of ['Lumen Grid', 'Harbor Index', 'Orchard', 'Tidewell'])
      await page().getByRole('article', { name }).waitFor();
    await signInAsDemoTrader(page());
    await open(page(), DESKTOP, paths.subscribe);
    await page().getByRole('link', { name: 'Participate' }).click();
    const panel = page().getByRole('region', { name: 'My commitment' });
    await panel.getByLabel('Amount', { exact: true }).fill('500');
    await panel.getByRole('checkbox').check();
    await panel.getByLabel('Trade password', { exact: true }).fill(TRADE_PASSWORD);
    await panel.getByRole('button', { name: 'Commit', exact: true }).click();
    await waitForText(page(), 'Your commitment is now 2,000 USDT.');
  });

  it('SUB-008 SUB-012 claims released tokens on the phone, and verifies the line with the files', async () => {
    await signInAsDemoTrader(phone.page);
    await open(phone.page, PHONE, paths.subscribeRecord);
    const card = phone.page.getByRole('article', { name: 'Orchard' });
    await card.getByRole('button', { name: 'Check my allocation' }).tap();
    await card.getByText('✓ The formula reproduces every entry in the result.').waitFor();
    await card.getByText('✓ The commitments match the hash announced beforehand.').waitFor();
    await card.getByText('✓ You received the amount in your entry.').waitFor();
    await card.getByRole('button', { name: /^Claim .* ORCH$/ }).tap();
    await waitForText(phone.page, 'ORCH are in your spot account.');
  });

  it('SUB-022 increases a commitment on the phone, and claims tokens on the desktop that were released since', async () => {
    await open(phone.page, PHONE, paths.subscribe);
    await phone.page.getByRole('link', { name: 'Participate' }).tap();
    const panel = phone.page.getByRole('region', { name: 'My commitment' });
    await panel.getByLabel('Amount', { exact: true }).fill('100');
    await panel.getByRole('checkbox').check();
    await panel.getByLabel('Trade password', { exact: true }).fill(TRADE_PASSWORD);
    await panel.getByRole('button', { name: 'Commit', exact: true }).tap();
    await waitForText(phone.page, 'Your commitment is now 2,100 USDT.');
    await open(page(), DESKTOP, paths.subscribeRecord);
    const card = page().getByRole('article', { name: 'Orchard' });
    await card.getByRole('button', { name: /^Claim .* ORCH$/ }).click();
    await waitForText(page(), 'ORCH are in your spot account.');
    expect([...person.complaints, ...phone.complaints]).toEqual([]);
  });
});
