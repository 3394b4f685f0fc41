import type { RefusalKey } from '@exchange/core/refusal.ts';
import type { Locale } from '@exchange/core/locale.ts';
import { enUS } from './en-US.ts';
import { jaJP } from './ja-JP.ts';
import { koKR } from './ko-KR.ts';
import { zhCN } from './zh-CN.ts';

/** The texts of all refusals in all languages. */
export const REFUSAL_WORDS: Readonly<Record<Locale, Readonly<Record<RefusalKey, string>>>> = {
  'en-US': enUS,
  'zh-CN': zhCN,
  'ko-KR': koKR,
  'ja-JP': jaJP,
};
