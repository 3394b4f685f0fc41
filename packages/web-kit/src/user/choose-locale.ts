import { call } from '../api/client.ts';
import { setLocale, type Locale } from '../i18n/words.ts';
import { signedIn } from '../session/session-store.ts';

/** Changes the language at once, on this device and, for the signed-in, with their account, whose mails are in it. */
export async function chooseLocale(locale: Locale): Promise<void> {
  await setLocale(locale);
  if (!signedIn()) return;
  try {
    const { updateProfile } = await import('@exchange/wire/user.ts');
    await call(updateProfile, { lang: locale });
  } catch {
    // Reason: the page speaks the language already; the account learns it with the next choice.
  }
}
