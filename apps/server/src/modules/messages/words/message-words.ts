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

/** A message's texts in a language. */
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

/** Parameters stored per language: for Chinese, `title@zh-CN` becomes `title`. */
function writtenIn(locale: Locale, parameters: Readonly<Record<string, string>>): Record<string, string> {
  const localised = Object.entries(parameters).filter(([name]) => name.endsWith(`@${locale}`));
  return Object.fromEntries(localised.map(([name, text]) => [name.slice(0, -locale.length - 1), text]));
}
