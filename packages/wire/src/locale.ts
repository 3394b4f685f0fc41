export { DEFAULT_LOCALE, fillWords, localeOf, LOCALES, type Locale } from '@exchange/core/locale.ts';
