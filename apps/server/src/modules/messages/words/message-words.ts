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
  return {
    title: fillWords(title, parameters, locale),
    summary: fillWords(summary, parameters, locale),
    content: fillWords(content, parameters, locale),
  };
}
