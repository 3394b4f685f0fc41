import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, CDPSession } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paths } from '@exchange/web-kit/paths.ts';
import { signUp, waitForText } from './fixtures/actions.ts';
import {
  closeProfiles,
  DESKTOP,
  open,
  openPerson,
  PHONE,
  sharedBrowser,
  type Person,
} from './fixtures/browser.ts';
import { sharedExchange, type SharedExchange } from './fixtures/exchange.ts';
import { reportSteps } from './fixtures/steps.ts';

/**
 * Returns a push subscription that no push service knows, because the test's browser cannot connect to a push service.
 */
function aSubscription() {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return {
    endpoint: `https://push.example.com/send/${randomBytes(8).toString('hex')}`,
    p256dh: [...point],
    auth: [...randomBytes(16)],
  };
}

/** Name of a variable of the page. It is set if this browser shows no notifications although the test permits them. */
const SHOWS_NONE = 'showsNoNotifications';

/**
 * Runs inside the page. Replaces the subscription, so that no push service is necessary. A browser without a window
 * reports notifications as forbidden and shows none. The page is made to behave as if they were permitted.
 */
function stubPushService({ endpoint, p256dh, auth }: ReturnType<typeof aSubscription>): void {
  if (Notification.permission === 'denied') {
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
    Object.assign(globalThis, { showsNoNotifications: true });
  }
  let subscription: unknown = null;
  const keys: Record<string, readonly number[]> = { p256dh, auth };
  PushManager.prototype.getSubscription = () => Promise.resolve(subscription as PushSubscription | null);
  PushManager.prototype.subscribe = (options) => {
    subscription = {
      endpoint: localStorage.getItem('renewedEndpoint') ?? endpoint,
      options: { applicationServerKey: options?.applicationServerKey },
      getKey: (name: string) => Uint8Array.from(keys[name]!).buffer,
      unsubscribe: () => Promise.resolve(true),
    };
    return Promise.resolve(subscription as PushSubscription);
  };
}

/** A user turns on push messages, and the service worker of the site shows one. */
describe.each([
  ['desktop', DESKTOP, '/pc/'],
  ['mobile', PHONE, '/'],
] as const)('pushes of the %s site', (site, viewport, base) => {
  let exchange: SharedExchange;
  let browser: Browser;
  let person: Person;
  let workers: CDPSession;
  reportSteps();

  beforeAll(async () => {
    [exchange, browser] = await Promise.all([sharedExchange(), sharedBrowser()]);
    person = await openPerson(browser, exchange.origin, viewport, 'allow');
    await person.context.grantPermissions(['notifications'], { origin: exchange.origin });
    await person.context.addInitScript(stubPushService, aSubscription());
  });
  afterAll(async () => {
    await closeProfiles(browser);
    exchange.assertNoErrors();
  });

  it('PUSH-015 are turned on for this device in the message settings, with quiet hours', async () => {
    const { page } = person;
    await open(page, viewport, paths.register);
    await signUp(person, `push-${site}@example.com`);
    await open(page, viewport, paths.messageSettings);
    await page.getByRole('button', { name: 'Turn on on this device' }).click();
    await waitForText(page, 'Push notifications are on for this device.');
    await page.getByRole('switch', { name: 'Quiet hours' }).click();
    await page.getByLabel('From').waitFor();
  });

  /** Calls an endpoint of pushes in the page, as its user, and returns the user's devices after that. */
  function callPush(path: string, fields: Readonly<Record<string, string>> = {}) {
    return person.page.evaluate(
      async ([name, form]) => {
        const post = async (endpoint: string, body: URLSearchParams) => {
          const headers = { 'X-Access-Token': localStorage.getItem('User-Token') ?? '' };
          const answer = await fetch(`/bb/app/push/${endpoint}`, { method: 'POST', headers, body });
          return (await answer.json()) as { data: { list: { id: string; timeZone: string }[] } };
        };
        await post(name, new URLSearchParams(form));
        return (await post('devices', new URLSearchParams())).data.list;
      },
      [path, fields] as const,
    );
  }

  /**
   * Returns the text that the page has stored for its service worker, to be shown in place of a push message
   * whose own text cannot be read; undefined if it has stored none.
   */
  function generalText() {
    return person.page.evaluate(
      (scope) =>
        new Promise<string | undefined>((resolve) => {
          const opening = indexedDB.open('push', 1);
          opening.addEventListener('success', () => {
            const reading = opening.result.transaction('settings').objectStore('settings').get(scope);
            reading.addEventListener('success', () => {
              opening.result.close();
              resolve((reading.result as { body: string } | undefined)?.body);
            });
          });
        }),
      base,
    );
  }

  it('PUSH-018 PUSH-019 follow the device to another time zone and language', async () => {
    const { page } = person;
    const stored = async () => [
      await generalText(),
      ...(await callPush('devices')).map(({ timeZone }) => timeZone),
    ];
    const english = 'You have a new notification. Open the app to see it.';
    expect(await stored()).toEqual([english, 'UTC']);
    // The test stores another time zone for the device on the server. When the page is opened again, it must replace
    // this time zone with that of the browser.
    const [device] = await callPush('devices');
    const fields = { id: device!.id, kinds: 'fills', quietFrom: '60', quietTo: '120' };
    const [moved] = await callPush('change', { ...fields, timeZone: 'Asia/Seoul' });
    expect(moved).toMatchObject({ timeZone: 'Asia/Seoul' });
    await page.evaluate(() => localStorage.setItem('User-Lang', 'ko-KR'));
    await open(page, viewport, paths.messageSettings);
    const korean = '새 알림이 있습니다. 앱을 열어 확인하세요.';
    await expect.poll(stored).toEqual([korean, 'UTC']);
    expect(await callPush('devices')).toMatchObject([{ id: device!.id, kinds: ['fills'], quietFrom: 60 }]);
    await page.evaluate(() => localStorage.setItem('User-Lang', 'en-US'));
    await open(page, viewport, paths.messageSettings);
    await expect.poll(stored).toEqual([english, 'UTC']);
  });

  it('PUSH-020 come back after the browser has renewed its subscription, but not after the device was removed elsewhere', async () => {
    const { page } = person;
    const removeOnServer = async () => {
      // The server permits each user two changes per second on average. After this pause neither the removal nor the
      // requests after it exceed this limit.
      await pause(2_000);
      const [device] = await callPush('devices');
      expect(await callPush('remove', { id: device!.id })).toEqual([]);
      await open(page, viewport, paths.messageSettings);
      return device!.id;
    };
    await page.evaluate(
      (renewed) => localStorage.setItem('renewedEndpoint', renewed),
      aSubscription().endpoint,
    );
    const ended = await removeOnServer();
    await expect.poll(async () => (await callPush('devices')).length).toBe(1);
    expect((await callPush('devices'))[0]!.id).not.toBe(ended);
    await page.getByRole('switch', { name: 'Quiet hours' }).waitFor();
    await removeOnServer();
    await expect.poll(generalText).toBeUndefined();
    expect(await callPush('devices')).toEqual([]);
    await page.getByRole('button', { name: 'Turn on on this device' }).click();
    await page.getByRole('switch', { name: 'Quiet hours' }).waitFor();
  });

  it('PUSH-016 are shown by the worker, and gone after logging out', async ({ skip }) => {
    const { page } = person;
    if (await page.evaluate((name) => name in globalThis, SHOWS_NONE))
      skip('this browser shows no notifications; the full Chromium does');
    workers = await person.context.newCDPSession(page);
    const registration = new Promise<string>((resolve) => {
      workers.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const found = registrations.find(({ scopeURL }) => scopeURL === `${exchange.origin}${base}`);
        if (found !== undefined) resolve(found.registrationId);
      });
    });
    await workers.send('ServiceWorker.enable');
    await workers.send('ServiceWorker.deliverPushMessage', {
      origin: exchange.origin,
      registrationId: await registration,
      data: JSON.stringify({ nonce: 'A'.repeat(43) }),
    });
    // No message of the server has this nonce, so the service worker shows the general text.
    const shown = () =>
      page.evaluate(async (scope) => {
        const worker = await navigator.serviceWorker.getRegistration(scope);
        const notifications = (await worker?.getNotifications()) ?? [];
        return notifications.map(({ title, body }) => [title, body]);
      }, base);
    await expect.poll(shown).toEqual([['Amethyst', 'You have a new notification. Open the app to see it.']]);
    // The user logs out in another tab, which must remove the notification.
    const other = await person.context.newPage();
    await open(other, viewport, paths.about);
    await other.evaluate(() => localStorage.removeItem('User-Token'));
    await expect.poll(shown).toEqual([]);
  });
});
