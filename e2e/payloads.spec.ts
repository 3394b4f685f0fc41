import { fileURLToPath } from 'node:url';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import { submitProof } from '@exchange/wire/deposit.ts';
import { messagePage } from '@exchange/wire/message.ts';
import { createOrder } from '@exchange/wire/spot.ts';
import { addressList, renameAddress } from '@exchange/wire/withdrawal.ts';
import { paths } from '@exchange/web-kit/paths.ts';
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signInAsDemoTrader, signUp } from './fixtures/actions.ts';
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
import { watchPage } from './fixtures/console-messages.ts';
import { goToArea, openConsole, signInAs } from './fixtures/console.ts';
import { startExchange, type Exchange } from './fixtures/exchange.ts';
import { reportSteps } from './fixtures/steps.ts';
import { isSelectedByCommit } from '../tools/test-form.ts';

const PICTURE = readFileSync(fileURLToPath(new URL('../docs/images/mobile-trade-dark.png', import.meta.url)));
/**
 * A script statement in the test's texts. It would run if a page used such a text as script, event handler, attribute
 * or template.
 */
const RUNS = 'window.planted=1';
const PAYLOADS = [
  `<script>${RUNS}</script>`,
  `<img src=x data-planted onerror=${RUNS}>`,
  `"><svg data-planted onload=${RUNS}>`,
  `</script><b data-planted>\${${RUNS}}{{7*7}}`,
  `<a data-planted href="javascript:${RUNS}">\u202Egnp`,
] as const;
const [SCRIPT, IMAGE, SVG, TEMPLATE, LINK] = PAYLOADS;

/**
 * Enters texts that contain scripts into fields for user input. The apps and the operators' console must display them
 * as plain text.
 */
describe('scripts in every field of user input', () => {
  let exchange: Exchange;
  let browser: Browser;
  let person: Person;
  let phone: Person;
  let owner: Page;
  let approver: Page;
  let call: Call;
  let token: string;
  const complaints: string[] = [];
  reportSteps();

  beforeAll(async () => {
    [exchange, browser] = await Promise.all([startExchange(), sharedBrowser()]);
    person = await openPerson(browser, exchange.origin, DESKTOP);
    phone = await openPerson(browser, exchange.origin, PHONE);
    [owner, approver] = [await atTheConsole('owner'), await atTheConsole('approver')];
    call = callerOf(exchange.origin);
    token = await demoToken(call);
    await signInAsDemoTrader(person.page);
    await signInAsDemoTrader(phone.page);
  });
  afterAll(async () => {
    await closeProfiles(browser);
    await exchange.stop();
  });

  async function atTheConsole(name: string): Promise<Page> {
    const page = await openConsole(browser, exchange);
    await signInAs(page, name);
    // Errors of the browser's console are recorded from the sign-in on, because the browser also logs the refused
    // requests before it.
    watchPage(page, complaints);
    return page;
  }

  /** Sends a request as a signed-in operator, like the console does. Throws if it is refused. */
  async function operate(
    page: Page,
    path: string,
    fields?: Readonly<Record<string, string>>,
  ): Promise<Record<string, unknown>> {
    const authenticatorCode = await exchange.operator.codeOf(page === owner ? 'owner' : 'approver');
    const form = fields && { ...fields, authenticatorCode };
    const { status, body } = await page.evaluate(
      async ([to, sent]) => {
        const init = sent === undefined ? {} : { method: 'POST', body: new URLSearchParams(sent) };
        const response = await fetch(to, init);
        return { status: response.status, body: (await response.json()) as Record<string, unknown> };
      },
      [path, form] as const,
    );
    if (status >= 300) throw new Error(`${path}: ${JSON.stringify(body)}`);
    return body;
  }

  /** Proposes an operation as the owner and approves it as the second operator. */
  async function publish(path: string, fields: Readonly<Record<string, string>>): Promise<void> {
    await operate(owner, path, { ...fields, reason: LINK });
    const { proposals } = (await operate(approver, '/ops/proposals')) as {
      proposals: { id: string; state: string }[];
    };
    const waiting = proposals.find(({ state }) => state === 'open')!;
    await operate(approver, `/ops/proposals/${waiting.id}/approve`, { reason: TEMPLATE });
  }

  const inFour = (field: string, text: string) =>
    Object.fromEntries(['En', 'Zh', 'Ko', 'Ja'].map((language) => [`${field}${language}`, text]));

  /** Checks that the page displays these texts, and that none of them has created an element or run its script. */
  async function standsAsText(page: Page, ...words: readonly string[]): Promise<void> {
    for (const text of words) await page.getByText(text, { exact: false }).first().waitFor();
    expect(await page.locator('[data-planted]').count()).toBe(0);
    expect(await page.evaluate(() => 'planted' in window)).toBe(false);
  }

  it('SEC-090 are accepted or refused by their fields, and never fail the server', async () => {
    await call('/support/submit', { topic: 'account', content: PAYLOADS.join('\n') }, token);
    const { list } = (await call(addressList.path, {}, token)) as DataOf<typeof addressList>;
    await call(renameAddress.path, { id: list[0]!.id, remark: IMAGE }, token);
    const form = new FormData();
    form.set('purpose', 'proof');
    form.set('file', new Blob([new Uint8Array(PICTURE)], { type: 'image/png' }), `${IMAGE}.png`);
    const sent = await fetch(`${exchange.origin}/bb/app/file/upload`, {
      method: 'POST',
      headers: { 'X-Access-Token': token },
      body: form,
    });
    const proof = ((await sent.json()) as { data: { id: string } }).data.id;
    await call(
      submitProof.path,
      { currency: 'USDT', network: 'BEP20', amount: '75', proof, remark: SVG },
      token,
    );
    // The server refuses scripts in fields with a fixed format, so the requests below must be refused.
    const order = { baseCoin: 'ETH', quoteCoin: 'USDT', tradeType: '1', amount: '0.01', price: '3000' };
    const refused: readonly (readonly [path: string, fields: Record<string, string>])[] = [
      [createOrder.path, { ...order, clientId: `"><svg onload=${RUNS}>` }],
      [createOrder.path, { ...order, baseCoin: IMAGE }],
      ['/user/submitVerify', { name: IMAGE, country: 'DE', idCard: 'L01X00T47' }],
      ['/user/updateProfile', { nickname: `A${IMAGE.slice(0, 20)}` }],
      ['/address/add', { currency: 'USDT', network: 'TRC20', address: LINK }],
    ];
    for (const [path, fields] of refused)
      await expect(call(path, fields, token)).rejects.toThrow(/was refused/);
    // The device name of a session is derived from the user agent, so this login stores a script in the list
    // of sessions.
    await fetch(`${exchange.origin}/bb/app/user/demoLogin`, {
      method: 'POST',
      headers: { 'User-Agent': IMAGE },
      body: new URLSearchParams(),
    });
    const period = { fromAt: '1767225600000', untilAt: '' };
    await publish('/ops/board/announcements/payload', {
      topic: 'product',
      ...inFour('title', IMAGE),
      ...inFour('content', PAYLOADS.join('\n')),
      ...period,
    });
    await publish('/ops/board/banners/planted', {
      position: '0',
      picture: 'spot',
      link: '',
      ...inFour('title', SVG),
      ...inFour('content', TEMPLATE),
      ...period,
    });
  });

  it('SEC-091 account data is displayed as text in both apps', async () => {
    const { page, complaints } = await openPerson(browser, exchange.origin, DESKTOP);
    await open(page, DESKTOP, paths.register);
    await signUp({ page, context: page.context(), complaints }, 'pia.load@example.com');
    const stored = await page.evaluate(() => Object.entries(localStorage));
    const own = stored.find(([key]) => /token/i.test(key))?.[1];
    await call('/user/updateProfile', { remark: SCRIPT }, own);
    const { page: small } = await openPerson(browser, exchange.origin, PHONE);
    await small.addInitScript((entries) => {
      for (const [key, text] of entries) localStorage.setItem(key, text);
    }, stored);
    await open(page, DESKTOP, paths.security);
    await open(small, PHONE, paths.security);
    for (const one of [page, small]) {
      await one.getByRole('button', { name: 'Edit profile' }).click();
      const note = one.getByLabel('Note', { exact: true });
      await expect.poll(() => note.inputValue()).toBe(SCRIPT);
      await standsAsText(one);
    }
    expect(complaints).toEqual([]);
    await small.close();
    await page.close();
  });

  it('SEC-091 are displayed as text to their owner in both apps', async () => {
    const { list } = (await call(messagePage.path, {}, token)) as DataOf<typeof messagePage>;
    const screens: readonly (readonly [desktopPath: string, mobilePath: string, ...words: string[]])[] = [
      [paths.home, paths.home, SVG],
      [paths.announcements, paths.announcements, IMAGE],
      [paths.address, paths.address, IMAGE],
      [paths.deposit, paths.deposit],
      [paths.contact, '/about/connect', SCRIPT],
      [paths.security, paths.security],
      [paths.security, paths.devices],
      [paths.withdraw, paths.withdraw],
      [paths.records, paths.records],
      [paths.trade, paths.trade],
      [`${paths.message}?id=${list[0]!.id}`, paths.messages],
    ];
    // In the short form each screen is opened on only one of the sites, which depends on the commit. The long
    // form opens all screens on both sites.
    for (const [index, [desktopPath, mobilePath, ...words]] of screens.entries()) {
      if (isSelectedByCommit(index % 2, 2)) {
        await open(person.page, DESKTOP, desktopPath);
        await standsAsText(person.page, ...words);
      }
      if (isSelectedByCommit((index + 1) % 2, 2)) {
        await open(phone.page, PHONE, mobilePath);
        await standsAsText(phone.page, ...words);
      }
    }
    expect([...person.complaints, ...phone.complaints]).toEqual([]);
  });

  it('SEC-091 are displayed as text to operators, in lists, forms and the log', async () => {
    const areas: readonly (readonly [area: string, ...words: string[]])[] = [
      ['Customer service', SCRIPT],
      ['Deposits', SVG],
      ['Announcements', IMAGE],
      ['Audit log', LINK],
      ['Approvals'],
      ['Users'],
    ];
    for (const [area, ...words] of areas) {
      await goToArea(owner, area);
      await standsAsText(owner, ...words);
    }
    expect(complaints).toEqual([]);
  });
});
