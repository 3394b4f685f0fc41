import type { Locale } from '@exchange/core/locale.ts';

/** Prefix of mail subjects with the exchange's name, by language. */
const MARKS: Readonly<Record<Locale, string>> = {
  'en-US': '[Amethyst] ',
  'zh-CN': '【Amethyst】',
  'ko-KR': '[Amethyst] ',
  'ja-JP': '【Amethyst】',
};

/** Builds the subject of a mail from a title that does not contain the exchange's name. */
export function mailSubject(locale: Locale, title: string): string {
  return MARKS[locale] + title;
}
