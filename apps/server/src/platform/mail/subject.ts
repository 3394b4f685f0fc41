import type { Locale } from '@exchange/core/locale.ts';

/** As each language's mails name who writes. */
const MARKS: Readonly<Record<Locale, string>> = {
  'en-US': '[Amethyst] ',
  'zh-CN': '【Amethyst】',
  'ko-KR': '[Amethyst] ',
  'ja-JP': '【Amethyst】',
};

/** The subject of a mail whose title does not name the exchange. */
export function mailSubject(locale: Locale, title: string): string {
  return MARKS[locale] + title;
}
