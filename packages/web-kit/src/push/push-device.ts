import { PUSH_KINDS, type PushKind } from '@exchange/core/push.ts';
import type { DataOf } from '@exchange/wire/endpoint.ts';
import { changePush, pushDevices, removePush, subscribePush } from '@exchange/wire/push.ts';
import { call } from '../api/client.ts';
import { showBadge } from '../badge.ts';
import { sessionToken } from '../session/session-store.ts';
import { isRecord, parseJson, readStored, store } from '../storage.ts';
import { placesOf, type PushSite } from './push-site.ts';
import { changeWorkerSettings, storeWorkerSettings } from './worker-settings.ts';

export type PushDevice = DataOf<typeof pushDevices>['list'][number];

/**
 * The kinds of messages for which a device gets pushes, and the device's quiet hours (undefined without quiet
 * hours): `from` is their first minute and `to` the first minute after them, as minutes of the day in the
 * device's time zone.
 */
export interface PushPreferences {
  readonly kinds: readonly PushKind[];
  readonly quiet: { readonly from: number; readonly to: number } | undefined;
}

/**
 * Title and body, in the user's language, that a push shows when the service worker cannot fetch the push's
 * own text from the server.
 */
export interface GeneralText {
  readonly title: string;
  readonly body: string;
}

/**
 * Whether this browser can receive pushes. `ready`: yes; `install`: only after the user has added the site to the home
 * screen, as on iPhones; `blocked`: no, because the user has forbidden notifications; `missing`: no, because the
 * browser does not support pushes.
 */
export type PushSupport = 'blocked' | 'install' | 'missing' | 'ready';

/**
 * The push subscription of this browser, as stored on this device so that it can be restored after the user's next
 * sign-in.
 */
interface Remembered {
  readonly userId: string;
  /** The last six characters of the token of the session that created the subscription. */
  readonly session: string;
  /** ID of the device; undefined if an earlier version of the site stored this subscription. */
  readonly id: string | undefined;
  readonly endpoint: string;
  readonly kinds: readonly PushKind[];
  readonly quiet: PushPreferences['quiet'];
}

export const ALL_KINDS: PushPreferences = { kinds: PUSH_KINDS, quiet: undefined };
const SECRET_BYTES = 32;
const keyOf = ({ base }: PushSite) => `Push-Device ${base}`;

export function pushSupport(): PushSupport {
  const isHere = 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;
  if (isHere) return Notification.permission === 'denied' ? 'blocked' : 'ready';
  const isApple = /iPhone|iPad|iPod/.test(navigator.userAgent);
  const isInstalled = matchMedia('(display-mode: standalone)').matches;
  return isApple && !isInstalled ? 'install' : 'missing';
}

/**
 * Asks the user for permission and subscribes this browser to the user's pushes. Resolves to the device as
 * the server stored it, or to undefined if the user does not permit notifications. Rejects when the browser
 * or the server fails to create the subscription.
 */
export async function subscribeDevice(
  site: PushSite,
  userId: string,
  preferences: PushPreferences,
  general: GeneralText,
): Promise<PushDevice | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') return undefined;
  const { publicKey } = await call(pushDevices);
  const subscription = await browserSubscription(site, publicKey);
  const token = newSecret();
  const device = await call(subscribePush, {
    endpoint: subscription.endpoint,
    p256dh: keyText(subscription, 'p256dh'),
    auth: keyText(subscription, 'auth'),
    token,
    ...sentPreferences(preferences),
  });
  // The secret is stored for the service worker only after the server has received it. Otherwise the service worker
  // could request texts of pushes with a secret that the server does not have.
  await storeWorkerSettings(site.base, {
    token,
    title: general.title,
    body: general.body,
    places: placesOf(site),
    publicKey,
  });
  remember(site, userId, { id: device.id, endpoint: subscription.endpoint }, preferences);
  return device;
}

/**
 * Returns the ID under which the server lists this site in this browser as a push device of the user.
 * Undefined if this site does not receive the user's pushes in this browser. The desktop and the mobile site
 * in the same browser are two devices, although they share the session.
 */
export function currentDeviceId(site: PushSite, userId: string): string | undefined {
  const remembered = rememberedDevice(site);
  return remembered?.userId === userId ? remembered.id : undefined;
}

/**
 * Changes the kinds of messages for which a device gets pushes, and the quiet hours of the device. If the device is
 * this browser, the preferences that this browser has stored are changed too.
 */
export async function changeDevice(
  site: PushSite,
  userId: string,
  device: PushDevice,
  preferences: PushPreferences,
): Promise<PushDevice> {
  const changed = await call(changePush, { id: device.id, ...sentPreferences(preferences) });
  const remembered = rememberedDevice(site);
  if (remembered !== undefined && remembered.id === device.id)
    remember(site, userId, remembered, preferences);
  return changed;
}

/** Ends the pushes to a device. If the device is this browser, its subscription and the stored data are removed too. */
export async function removeDevice(site: PushSite, { id }: Pick<PushDevice, 'id'>): Promise<void> {
  await call(removePush, { id });
  if (rememberedDevice(site)?.id !== id) return;
  store(keyOf(site), null);
  await forgetSecret(site);
  const registration = await navigator.serviceWorker.getRegistration(site.base);
  const subscription = await registration?.pushManager.getSubscription();
  await subscription?.unsubscribe();
}

let restored: Promise<void> = Promise.resolve();

/**
 * Subscribes this browser again if the session or the browser's push address differs from the stored one, if
 * the stored data contain no ID of the device, or if the settings of the service worker are missing.
 * Otherwise updates the general text in the present language and the other settings of the service worker,
 * and on the server the device's time zone. If the server no longer lists the device although its push
 * address is unchanged, the user has removed it elsewhere, so the stored data are deleted. Does nothing if
 * nothing is stored for this user, or if notifications are not permitted. Calls are executed one after
 * another, so that the text of the last call stays.
 */
export function restoreDevice(site: PushSite, userId: string, general: GeneralText): Promise<void> {
  const restoring = restored.then(() => restoreNow(site, userId, general));
  // The caller of `restoreDevice` receives the failure of this call. The next call waits for this one and
  // runs even if this one failed.
  restored = restoring.catch(() => undefined);
  return restoring;
}

async function restoreNow(site: PushSite, userId: string, general: GeneralText): Promise<void> {
  const remembered = rememberedDevice(site);
  if (remembered === undefined || remembered.userId !== userId) return;
  if (pushSupport() !== 'ready' || Notification.permission !== 'granted') return;
  const { list, publicKey } = await call(pushDevices);
  const { endpoint } = await browserSubscription(site, publicKey);
  const isSame = remembered.session === sessionMark() && endpoint === remembered.endpoint;
  if (!isSame || remembered.id === undefined) {
    await subscribeDevice(site, userId, remembered, general);
    return;
  }
  const device = list.find(({ id }) => id === remembered.id);
  if (device === undefined) {
    store(keyOf(site), null);
    await forgetSecret(site);
    return;
  }
  const { title, body } = general;
  const isChanged = await changeWorkerSettings(site.base, { title, body, places: placesOf(site), publicKey });
  if (!isChanged) await subscribeDevice(site, userId, remembered, general);
  else if (device.timeZone !== browserTimeZone())
    await changeDevice(site, userId, device, preferencesOf(device));
}

/** Returns the kinds of messages for which a device gets pushes, and the quiet hours of the device. */
export function preferencesOf({ kinds, quietFrom, quietTo }: PushDevice): PushPreferences {
  return { kinds, quiet: quietFrom < 0 ? undefined : { from: quietFrom, to: quietTo } };
}

/**
 * Removes from this browser the private push data of a user who has signed out: shown notifications, the number on the
 * icon, and the secret. The stored subscription (`Remembered`) stays.
 */
export async function clearDevice(site: PushSite): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  if (rememberedDevice(site) === undefined) return;
  await forgetSecret(site);
  const registration = await navigator.serviceWorker.getRegistration(site.base);
  for (const notification of (await registration?.getNotifications()) ?? []) notification.close();
  await showBadge(0);
}

function forgetSecret(site: PushSite): Promise<void> {
  return storeWorkerSettings(site.base, undefined);
}

/**
 * Resolves to the browser's push subscription for the server's key; a subscription for another key is
 * replaced by a new one.
 */
async function browserSubscription(site: PushSite, publicKey: string): Promise<PushSubscription> {
  const registration = await activeRegistration(site);
  const existing = await registration.pushManager.getSubscription();
  const applicationServerKey = bytesOf(publicKey);
  if (existing !== null) {
    const key = existing.options.applicationServerKey;
    if (key !== null && textOfBytes(new Uint8Array(key)) === publicKey) return existing;
    await existing.unsubscribe();
  }
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
}

async function activeRegistration({ worker, base }: PushSite): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.register(worker, { scope: base });
  if (registration.active !== null) return registration;
  const starting = registration.installing ?? registration.waiting;
  await new Promise<void>((resolve, reject) => {
    if (starting === null) {
      resolve();
      return;
    }
    starting.addEventListener('statechange', () => {
      if (starting.state === 'activated') resolve();
      if (starting.state === 'redundant') reject(new Error('the service worker did not start'));
    });
  });
  return registration;
}

function rememberedDevice(site: PushSite): Remembered | undefined {
  const stored = parseJson(readStored(keyOf(site)));
  if (!isRecord(stored)) return undefined;
  const { userId, session, id, endpoint, kinds, quiet } = stored;
  if (typeof userId !== 'string' || typeof session !== 'string' || typeof endpoint !== 'string')
    return undefined;
  return {
    userId,
    session,
    id: typeof id === 'string' ? id : undefined,
    endpoint,
    kinds: PUSH_KINDS.filter((kind) => Array.isArray(kinds) && kinds.includes(kind)),
    quiet:
      isRecord(quiet) && typeof quiet['from'] === 'number' && typeof quiet['to'] === 'number'
        ? { from: quiet['from'], to: quiet['to'] }
        : undefined,
  };
}

function remember(
  site: PushSite,
  userId: string,
  { id, endpoint }: Pick<Remembered, 'endpoint' | 'id'>,
  { kinds, quiet }: PushPreferences,
): void {
  store(keyOf(site), JSON.stringify({ userId, session: sessionMark(), id, endpoint, kinds, quiet }));
}

/**
 * Returns the last six characters of the session token: enough to distinguish the session from others, too
 * few to be used as a token. Empty when nobody is signed in.
 */
function sessionMark(): string {
  return sessionToken()?.slice(-6) ?? '';
}

function sentPreferences({ kinds, quiet }: PushPreferences) {
  return {
    kinds: kinds.join(','),
    timeZone: browserTimeZone(),
    quietFrom: quiet === undefined ? null : String(quiet.from),
    quietTo: quiet === undefined ? null : String(quiet.to),
  };
}

function browserTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function keyText(subscription: PushSubscription, name: PushEncryptionKeyName): string {
  const key = subscription.getKey(name);
  if (key === null) throw new Error(`the browser has no key ${name}`);
  return textOfBytes(new Uint8Array(key));
}

function newSecret(): string {
  return textOfBytes(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
}

/** Encodes bytes as URL-safe Base64 without padding. */
function textOfBytes(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}
