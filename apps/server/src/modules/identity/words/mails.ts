import { fillWords, type Locale } from '@exchange/core/locale.ts';
import type { Purpose } from '../domain/mailed-code.ts';
import { enUS } from './en-US.ts';
import type { MailWords, NoticeName, Words } from './shape.ts';
import { zhCN } from './zh-CN.ts';

const WORDS: Readonly<Record<Locale, MailWords>> = { 'en-US': enUS, 'zh-CN': zhCN };

export interface WrittenMessage {
  readonly subject: string;
  readonly text: string;
}

/** The message that carries a code. */
export function codeMessage(locale: Locale, purpose: Purpose, code: string, minutes: number): WrittenMessage {
  const words = WORDS[locale];
  // A long one is read in fours; forms take it with or without the spaces.
  const shown = code.length > 6 ? code.replace(/\d{4}(?=\d)/g, '$& ') : code;
  return compose(locale, words.code, {
    purpose: words.purposes[purpose],
    code: shown,
    minutes: String(minutes),
  });
}

/** A message that tells of something; it never asks to click anything. */
export function noticeMessage(
  locale: Locale,
  name: NoticeName,
  parameters: Readonly<Record<string, string>> = {},
): WrittenMessage {
  const words = WORDS[locale];
  return compose(locale, words.notices[name], parameters);
}

function compose(
  locale: Locale,
  { subject, lines }: Words,
  parameters: Readonly<Record<string, string>>,
): WrittenMessage {
  return {
    subject: fillWords(subject, parameters, locale),
    text:
      [...lines, ...WORDS[locale].closing].map((line) => fillWords(line, parameters, locale)).join('\n\n') +
      '\n',
  };
}
