import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HOUR_MS } from '@exchange/core/time.ts';
import { proofTape } from '@exchange/wire/proof.ts';
import { secondsDetail, secondsMovements, secondsOrders } from '@exchange/wire/seconds.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSecondsPosition, signInAsDemoTrader, waitForText, waitInterval } from './fixtures/actions.ts';
import {
  closeProfiles,
  DESKTOP,
  open,
  type Person,
  PHONE,
  openPerson,
  sharedBrowser,
} from './fixtures/browser.ts';
import { callerOf, demoToken, type Call } from './fixtures/calls.ts';
import { sharedExchange, type SharedExchange } from './fixtures/exchange.ts';
import { declareVoid } from './fixtures/operator.ts';
import { reportSteps } from './fixtures/steps.ts';

const VERIFIER = fileURLToPath(new URL('../tools/verify/verify.mjs', import.meta.url));
const SETTLED_WITHIN_MS = 120_000;
/** Milliseconds for which the test waits between two positions of a user. The server requires slightly less. */
const SPACING_MS = 1_100;

/**
 * The demo trader opens positions in both directions, sees them settle, and verifies the results in the page and with
 * the verifier.
 */
describe('a position of the seconds contract, from its opening to the proof of its result', () => {
  const folder = mkdtempSync(join(tmpdir(), 'exchange-proof-'));
  let exchange: SharedExchange;
  let browser: Browser;
  let person: Person;
  let phone: Person;
  let call: Call;
  let token: string;
  /** Id of the user's position that becomes void, because operators declare an interval void. */
  let touched = '';
  const page = () => person.page;
  reportSteps();

  beforeAll(async () => {
    [exchange, browser] = await Promise.all([sharedExchange(), sharedBrowser()]);
    person = await openPerson(browser, exchange.origin, DESKTOP);
    phone = await openPerson(browser, exchange.origin, PHONE);
    call = callerOf(exchange.origin);
    token = await demoToken(call);
  });
  afterAll(async () => {
    await closeProfiles(browser);
    exchange.assertNoErrors();
    rmSync(folder, { recursive: true });
  });

  /** Returns the user's open and ended positions on the pairs with this base coin. */
  const positionsOf = async (baseCoin: string) => {
    const pages = await Promise.all(
      ['0', '1'].map((entryStatus) => call(secondsOrders.path, { entryStatus, baseCoin }, token)),
    );
    return (pages as { list: readonly unknown[] }[]).flatMap(({ list }) => list);
  };
  const verified = (path: string) => spawnSync(process.execPath, [VERIFIER, path], { encoding: 'utf8' });

  it('CON-010 CON-011 shows the limit that a stake exceeds, and opens positions in both directions', async () => {
    await signInAsDemoTrader(page());
    await open(page(), DESKTOP, `${paths.seconds}?symbol=ada_usdt`);
    const stake = page().getByLabel('Amount', { exact: true });
    await stake.fill('501');
    await page().getByRole('button', { name: /^Up/ }).click();
    await waitForText(page(), 'You entered 501.');
    await stake.fill('10');
    await waitForText(page(), '+8 if right');
    await openSecondsPosition(page(), 'Up');
    const newest = page().getByRole('listitem', { name: 'ADA/USDT' }).first();
    await newest.getByText(/Entry 0\.\d/).waitFor();
    // The server accepts only one position per user within a second, so the test waits.
    await waitInterval(SPACING_MS);
    await stake.fill('10');
    await openSecondsPosition(page(), 'Down');
    await newest.getByText('Down').first().waitFor();
    await newest.getByText(/Entry 0\.\d/).waitFor();
    // The query returns running and ended positions, so it contains both positions even if the first one has ended.
    expect(await positionsOf('ADA')).toHaveLength(2);
  });

  it('CON-041 draws the simulated history before the start of the index, which the tape does not contain', async () => {
    // The screen shows one hour. The index has existed for less than an hour, so simulated history fills the rest.
    await page().getByRole('radiogroup', { name: 'Time shown' }).getByText('1h', { exact: true }).click();
    await waitForText(page(), 'Simulated demo history');
    const to = Date.now();
    const query = new URLSearchParams({ symbol: 'adausdt', from: String(to - HOUR_MS), to: String(to) });
    const answer = await fetch(`${exchange.origin}/bb/app${proofTape.path}?${query.toString()}`);
    const { data } = (await answer.json()) as { data: { lines: readonly string[] } };
    const first = JSON.parse(data.lines[0]!) as { seq: number; t: number };
    // The index tape begins with line 1 within the last hour, so the earlier part of the hour is simulated history.
    expect(first.seq).toBe(1);
    expect(first.t).toBeGreaterThan(to - HOUR_MS);
  });

  it('CON-018 two operators declare an interval void while a position is open in it', async () => {
    const other = await person.context.newPage();
    await open(other, DESKTOP, `${paths.seconds}?symbol=eth_usdt`);
    // The test selects a duration of 60 seconds, so that the position is still open after two operators have signed in.
    await other
      .getByRole('radiogroup', { name: 'Duration', exact: true })
      .getByText('60 s', { exact: true })
      .click();
    await other.getByLabel('Amount', { exact: true }).fill('10');
    await openSecondsPosition(other, 'Up');
    const { list } = (await call(secondsOrders.path, { entryStatus: '0', baseCoin: 'ETH' }, token)) as {
      list: readonly { id: string }[];
    };
    touched = list[0]!.id;
    const now = Date.now();
    await declareVoid(exchange, 'ethusdt', { from: now - 5_000, to: now + SETTLED_WITHIN_MS });
    await other.close();
  });

  it('CON-013 transfers money in both directions on the phone', async () => {
    await signInAsDemoTrader(phone.page);
    await open(phone.page, PHONE, paths.seconds);
    for (const way of ['Spot → Seconds', 'Seconds → Spot']) {
      await phone.page.getByRole('button', { name: 'Transfer' }).first().tap();
      const sheet = phone.page.getByRole('dialog', { name: 'Transfer' });
      await sheet.getByText(way).tap();
      await sheet.getByLabel('Amount', { exact: true }).fill('100');
      await sheet.getByRole('button', { name: 'Transfer', exact: true }).tap();
      await waitForText(phone.page, 'Transfer completed');
      await sheet.waitFor({ state: 'hidden' });
    }
    const { list } = (await call(secondsMovements.path, { pageSize: '2' }, token)) as {
      list: readonly { type: number; amount: string }[];
    };
    expect(list.map(({ type, amount }) => [type, amount])).toEqual([
      [2, '100'],
      [1, '100'],
    ]);
  });

  it('JRN-171 CON-016 shows both results until they are closed, settles them by the tape, and detects any change of the proof', async () => {
    const results = page().getByRole('region', { name: 'Results' });
    const ended = results.getByRole('button', { expanded: false }).filter({ hasText: 'ADA/USDT' });
    await ended.nth(1).waitFor({ timeout: SETTLED_WITHIN_MS });
    await ended.first().click();
    await results.getByText('Verified on this device').waitFor();
    await results.getByRole('button', { name: 'Close all' }).click();
    await results.waitFor({ state: 'hidden' });
    await page().getByText('History', { exact: true }).click();
    const rows = page().getByRole('row').filter({ hasText: 'ADA/USDT' });
    await rows.nth(1).waitFor({ timeout: SETTLED_WITHIN_MS });
    await rows.first().getByRole('button', { name: 'Verify' }).click();
    const proof = page().getByRole('dialog', { name: 'Proof of the result' });
    await proof.getByRole('button', { name: 'Verify this result' }).click();
    await proof.getByText(': holds').nth(4).waitFor({ state: 'attached' });
    expect(await proof.getByText(': does not hold').count()).toBe(0);
    const [download] = await Promise.all([
      page().waitForEvent('download'),
      proof.getByRole('button', { name: 'Download' }).click(),
    ]);
    const path = join(folder, 'settlement.json');
    await download.saveAs(path);
    expect(verified(path)).toMatchObject({ status: 0, stdout: `${path}: holds\n` });
    const text = readFileSync(path, 'utf8');
    const credited = /"credited":"(\d+)/.exec(text)?.[1] ?? '';
    writeFileSync(path, text.replace(`"credited":"${credited}`, `"credited":"${Number(credited) + 1}`));
    expect(verified(path)).toMatchObject({ status: 1, stdout: `${path}: another payout\n` });
    const { list } = (await call(secondsOrders.path, { entryStatus: '1', baseCoin: 'ADA' }, token)) as {
      list: readonly { tradeType: number; status: number }[];
    };
    expect(list.map(({ tradeType, status }) => [tradeType, status])).toEqual([
      [2, 1],
      [1, 1],
    ]);
    expect([...person.complaints, ...phone.complaints]).toEqual([]);
  });

  it('CON-009 CON-018 positions in the void interval are refunded in full and show the reason', async () => {
    await open(page(), DESKTOP, `${paths.seconds}?symbol=eth_usdt`);
    await page().getByText('History', { exact: true }).click();
    await expect
      .poll(() => call(secondsDetail.path, { id: touched }, token), { timeout: SETTLED_WITHIN_MS })
      .toMatchObject({ result: 'void', resultReason: 'interval', settleProfit: '0' });
    const row = page().getByRole('row').filter({ hasText: 'ETH/USDT' }).first();
    await row.getByText('Returned').first().waitFor();
    expect(person.complaints).toEqual([]);
  });
});
