import { fillWords, type Locale } from '@exchange/core/locale.ts';
import type { Refusal } from '@exchange/core/refusal.ts';
import { REFUSAL_WORDS } from '@exchange/wire/words/refusals.ts';

/** Returns the sentence of a refusal in the language `locale`, with the refusal's parameters inserted. */
export function refusalText(locale: Locale, { key, parameters }: Refusal): string {
  return fillWords(REFUSAL_WORDS[locale][key], parameters, locale);
}
