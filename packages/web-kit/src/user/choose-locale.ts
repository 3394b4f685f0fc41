import { call } from '../api/client.ts';
import { setLocale, type Locale } from '../i18n/words.ts';
import { signedIn } from '../session/session-store.ts';

/**
 * Changes the language on this device once its translations are loaded and, for a signed-in user, in the
 * account, which determines the language of mails. Rejects when the translations cannot be loaded.
 */
export async function chooseLocale(locale: Locale): Promise<void> {
  await setLocale(locale);
  if (!signedIn()) return;
  try {
    const { updateProfile } = await import('@exchange/wire/user.ts');
    await call(updateProfile, { lang: locale });
  } catch {
    // The request failed. The page already uses the language; the account is updated with the next change.
  }
}
