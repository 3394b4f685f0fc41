import { useEffect } from 'react';
import { useWords } from '../i18n/words.ts';
import { onUserLeft } from '../session/user-keys.ts';
import { useSession } from '../session/session-store.ts';
import { refetchDevices } from './device-list.ts';
import { clearDevice, restoreDevice } from './push-device.ts';
import type { PushSite } from './push-site.ts';

/**
 * Renders nothing. Subscribes this browser to the user's pushes again after the user has signed in again, stores a new
 * time zone or language for the pushes, and removes the private push data when the user signs out or another user
 * replaces that user. Failures are ignored; the subscription is then restored when the app is started next.
 */
export default function PushKeeper({ site }: { readonly site: PushSite }) {
  const t = useWords('push');
  const userId = useSession(({ session }) => session?.userId);
  const title = t('generalTitle');
  const body = t('generalText');
  useEffect(() => {
    if (userId === undefined) return;
    // A failure is ignored: if the server or the push service cannot be reached, the next start of the app tries again.
    restoreDevice(site, userId, { title, body })
      .then(refetchDevices)
      .catch(() => undefined);
  }, [site, userId, title, body]);
  useEffect(
    () =>
      onUserLeft(() => {
        // If the removal fails, later pushes show only the general text, because the server no longer returns texts for
        // the secret.
        clearDevice(site).catch(() => undefined);
      }),
    [site],
  );
  return null;
}
