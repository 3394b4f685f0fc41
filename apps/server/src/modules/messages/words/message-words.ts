import { fillWords, type Locale } from '@exchange/core/locale.ts';
import type { MessageKind, MessageWords } from '../domain.ts';
import { enUS } from './en-US.ts';
import { jaJP } from './ja-JP.ts';
import { koKR } from './ko-KR.ts';
import { zhCN } from './zh-CN.ts';

const WORDS: Readonly<Record<Locale, Readonly<Record<MessageKind, MessageWords>>>> = {
  'en-US': enUS,
  'zh-CN': zhCN,
  'ko-KR': koKR,
  'ja-JP': jaJP,
};

/** A message in the reader's language. */
export function messageWords(
  locale: Locale,
  kind: MessageKind,
  parameters: Readonly<Record<string, string>>,
): MessageWords {
  const { title, summary, content } = WORDS[locale][kind];
  const filling = { ...parameters, ...writtenIn(locale, parameters) };
  return {
    title: fillWords(title, filling, locale),
    summary: fillWords(summary, filling, locale),
    content: fillWords(content, filling, locale),
  };
}

/** Parameters that were written in every language: of `title@zh-CN` a reader of Chinese gets `title`. */
function writtenIn(locale: Locale, parameters: Readonly<Record<string, string>>): Record<string, string> {
  const own = Object.entries(parameters).filter(([name]) => name.endsWith(`@${locale}`));
  return Object.fromEntries(own.map(([name, text]) => [name.slice(0, -locale.length - 1), text]));
}
