import { call } from '../api/client.ts';
import { setLocale, type Locale } from '../i18n/words.ts';
import { signedIn } from '../session/session-store.ts';

/**
 * Changes the interface language when its texts have loaded, on this device and, for a signed-in user, in the account,
 * whose language also determines that of mails. Rejects when the texts cannot be loaded; a failure to change the
 * account is ignored.
 */
export async function chooseLocale(locale: Locale): Promise<void> {
  await setLocale(locale);
  if (!signedIn()) return;
  try {
    const { updateProfile } = await import('@exchange/wire/user.ts');
    await call(updateProfile, { lang: locale });
  } catch {
    // The account could not be updated. The page already uses the new language; the next change of language updates the
    // account.
  }
}
