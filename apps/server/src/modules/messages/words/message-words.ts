import { fillWords, type Locale } from '@exchange/core/locale.ts';
import type { MessageWords, OwnMessageKind } from '../domain.ts';
import { enUS } from './en-US.ts';
import { jaJP } from './ja-JP.ts';
import { koKR } from './ko-KR.ts';
import { zhCN } from './zh-CN.ts';

const WORDS: Readonly<Record<Locale, Readonly<Record<OwnMessageKind, MessageWords>>>> = {
  'en-US': enUS,
  'zh-CN': zhCN,
  'ko-KR': koKR,
  'ja-JP': jaJP,
};

/** The texts, in the language `locale`, of a kind of message that this module declares, with placeholders. */
export function ownWords(locale: Locale, kind: OwnMessageKind): MessageWords {
  return WORDS[locale][kind];
}

/** Title, summary and content of a message, with the message's parameters in place of the placeholders. */
export function filledWords(
  { title, summary, content }: MessageWords,
  locale: Locale,
  parameters: Readonly<Record<string, string>>,
): MessageWords {
  const filling = { ...parameters, ...writtenIn(locale, parameters) };
  return {
    title: fillWords(title, filling, locale),
    summary: fillWords(summary, filling, locale),
    content: fillWords(content, filling, locale),
  };
}

/**
 * The parameters that are stored once per language, such as `title@zh-CN`; returns those of the given language, under
 * their names without the language (`title`).
 */
function writtenIn(locale: Locale, parameters: Readonly<Record<string, string>>): Record<string, string> {
  const localised = Object.entries(parameters).filter(([name]) => name.endsWith(`@${locale}`));
  return Object.fromEntries(localised.map(([name, text]) => [name.slice(0, -locale.length - 1), text]));
}
