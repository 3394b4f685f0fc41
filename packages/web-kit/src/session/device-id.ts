import { DEVICE_ID_KEY } from '@exchange/wire/browser.ts';
import { readStored, store } from '../storage.ts';
import { randomId } from '../random-id.ts';

let pageId: string | undefined;

/**
 * Returns a random ID of this browser, stored in its local storage. Logins and registrations send the ID, so
 * that the server detects a login from a new device. If storing fails, the ID is valid until the page is
 * closed.
 */
export function deviceId(): string {
  const stored = readStored(DEVICE_ID_KEY) ?? pageId;
  if (stored !== undefined) return stored;
  pageId = randomId();
  store(DEVICE_ID_KEY, pageId);
  return pageId;
}
