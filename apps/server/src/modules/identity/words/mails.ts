import { fillWords, type Locale } from '@exchange/core/locale.ts';
import type { ActionWords } from '../confirmed-action.ts';
import type { Purpose } from '../domain/mailed-code.ts';
import { enUS } from './en-US.ts';
import type { MailWords, NoticeName, Words } from './shape.ts';
import { jaJP } from './ja-JP.ts';
import { koKR } from './ko-KR.ts';
import { zhCN } from './zh-CN.ts';

const WORDS: Readonly<Record<Locale, MailWords>> = {
  'en-US': enUS,
  'zh-CN': zhCN,
  'ko-KR': koKR,
  'ja-JP': jaJP,
};

export interface WrittenMessage {
  readonly subject: string;
  readonly text: string;
}

/** Composes the mail with a verification code, in the language of its reader. */
export function codeMessage(
  locale: Locale,
  purpose: Purpose,
  code: string,
  minutes: number,
  act?: ActionWords,
): WrittenMessage {
  const words = WORDS[locale];
  // A long code is written in groups of four digits; forms accept it with and without spaces.
  const grouped = code.length > 6 ? code.replace(/\d{4}(?=\d)/g, '$& ') : code;
  return compose(locale, words.code, {
    purpose:
      act === undefined
        ? words.purposes[purpose]
        : fillWords(words.actions[act.name], act.parameters, locale),
    code: grouped,
    minutes: String(minutes),
  });
}

/** Composes a mail with a notice. The only link that it can contain freezes the account. */
export function noticeMessage(
  locale: Locale,
  name: NoticeName,
  parameters: Readonly<Record<string, string>> = {},
  freezeLink?: string,
): WrittenMessage {
  const words = WORDS[locale];
  const { subject, lines } = words.notices[name];
  if (freezeLink === undefined) return compose(locale, { subject, lines }, parameters);
  return compose(locale, { subject, lines: [...lines, words.freeze] }, { ...parameters, link: freezeLink });
}

/** Composes the line of a mail that contains the user's anti-phishing phrase. */
export function phishingLine(locale: Locale, words: string): string {
  return fillWords(WORDS[locale].phishing, { words }, locale);
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
