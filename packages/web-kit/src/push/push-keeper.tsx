import { useEffect } from 'react';
import { useWords } from '../i18n/words.ts';
import { onUserLeft } from '../session/user-keys.ts';
import { useSession } from '../session/session-store.ts';
import { clearDevice, restoreDevice } from './push-device.ts';
import type { PushSite } from './push-site.ts';

/**
 * Keeps this browser's pushes with their user: subscribes it again after the user signed in again, and removes what is
 * private when the user leaves.
 */
export default function PushKeeper({ site }: { readonly site: PushSite }) {
  const t = useWords('push');
  const userId = useSession(({ session }) => session?.userId);
  const title = t('generalTitle');
  const body = t('generalText');
  useEffect(() => {
    if (userId === undefined) return;
    // Without the server or the push service the device is restored at the next start.
    restoreDevice(site, userId, { title, body }).catch(() => undefined);
  }, [site, userId, title, body]);
  useEffect(
    () =>
      onUserLeft(() => {
        // What cannot be removed now shows nothing private later: the server no longer gives any text.
        clearDevice(site).catch(() => undefined);
      }),
    [site],
  );
  return null;
}
