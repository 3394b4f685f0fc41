import type { Locale } from '@exchange/core/locale.ts';

/** Prefix of mail subjects with the exchange's name, by language. */
const MARKS: Readonly<Record<Locale, string>> = {
  'en-US': '[Amethyst] ',
  'zh-CN': '【Amethyst】',
  'ko-KR': '[Amethyst] ',
  'ja-JP': '【Amethyst】',
};

/** The subject of a mail whose title does not contain the exchange's name. */
export function mailSubject(locale: Locale, title: string): string {
  return MARKS[locale] + title;
}
