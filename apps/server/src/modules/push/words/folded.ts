import { fillWords, type Locale } from '@exchange/core/locale.ts';

const MORE: Readonly<Record<Locale, string>> = {
  'en-US': 'And {{count}} earlier {{count|one:notification|other:notifications}}.',
  'zh-CN': '另有 {{count}} 条更早的通知。',
  'ko-KR': '이전 알림 {{count}}건이 더 있습니다.',
  'ja-JP': 'ほかに、以前の通知が{{count}}件あります。',
};

/** The text of a push for a message with which `count` older messages are combined. */
export function foldedText(locale: Locale, summary: string, count: number): string {
  return `${summary}\n${fillWords(MORE[locale], { count }, locale)}`;
}
