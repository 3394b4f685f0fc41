import type { Locale } from '@exchange/core/locale.ts';
import type { AssetCode } from '@exchange/core/pair.ts';
import { enUS } from './en-US.ts';
import type { CoinWords } from './shape.ts';
import { jaJP } from './ja-JP.ts';
import { koKR } from './ko-KR.ts';
import { zhCN } from './zh-CN.ts';

export const COIN_WORDS: Readonly<Record<Locale, Readonly<Record<AssetCode, CoinWords>>>> = {
  'en-US': enUS,
  'zh-CN': zhCN,
  'ko-KR': koKR,
  'ja-JP': jaJP,
};
