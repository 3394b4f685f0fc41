import { LOCALES } from '@exchange/core/locale.ts';
import { describe, expect, it } from 'vitest';
import { enUS } from './en-US.ts';
import { codeMessage, noticeMessage } from './mails.ts';
import type { ActionName, NoticeName } from './shape.ts';
import { jaJP } from './ja-JP.ts';
import { koKR } from './ko-KR.ts';
import { zhCN } from './zh-CN.ts';

const NAMES = Object.keys(enUS.notices) as NoticeName[];

describe('mails', () => {
  it('ID-075 contain the brand, the code and only the freeze link, in every language', () => {
    for (const locale of LOCALES) {
      const message = codeMessage(locale, 'login', '042137', 10);
      expect(message.subject).toContain('042137');
      expect(message.text).toContain('042137');
      for (const { subject, text } of [message, ...NAMES.map((name) => noticeMessage(locale, name, {}))]) {
        expect(subject).toContain('Amethyst');
        expect(text).not.toMatch(/https?:|www\.|\{\{/);
      }
    }
  });

  it('use the same parameters in every language', () => {
    const named = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g))].sort();
    for (const words of [zhCN, koKR, jaJP]) {
      for (const name of NAMES) {
        expect(named(words.notices[name].lines.join())).toEqual(named(enUS.notices[name].lines.join()));
      }
      expect(named(words.code.lines.join())).toEqual(named(enUS.code.lines.join()));
      for (const part of ['phishing', 'freeze'] as const)
        expect(named(words[part])).toEqual(named(enUS[part]));
      for (const [act, text] of Object.entries(enUS.actions))
        expect(named(words.actions[act as ActionName])).toEqual(named(text));
    }
  });
});
