import { DEVICE_ID_KEY } from '@exchange/wire/browser.ts';
import { readStored, store } from '../storage.ts';
import { randomId } from '../random-id.ts';

let pageId: string | undefined;

/**
 * A random id of this browser, kept in local storage and sent with logins and registrations, so that a login
 * from a new device is detected. Without storage it lasts as long as the page.
 */
export function deviceId(): string {
  const stored = readStored(DEVICE_ID_KEY) ?? pageId;
  if (stored !== undefined) return stored;
  pageId = randomId();
  store(DEVICE_ID_KEY, pageId);
  return pageId;
}
