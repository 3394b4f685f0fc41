import { LOCALES } from '@exchange/core/locale.ts';
import { describe, expect, it } from 'vitest';
import { COIN_FACTS } from './coin-facts.ts';
import { COINS } from './domain.ts';
import { COIN_WORDS } from './words/coin-words.ts';

const codes = COINS.map(({ code }) => code);

describe('coin facts', () => {
  it('WATCH-050 exist for exactly the listed coins, in every language', () => {
    expect(Object.keys(COIN_FACTS).toSorted()).toEqual(codes.toSorted());
    for (const locale of LOCALES)
      expect(Object.keys(COIN_WORDS[locale]).toSorted()).toEqual(codes.toSorted());
  });

  it.each(codes)('WATCH-050 %s has plausible facts and translated sentences', (code) => {
    const { year, maxSupply, website, explorer } = COIN_FACTS[code]!;
    expect(year).toBeGreaterThanOrEqual(2009);
    expect(maxSupply?.isPositive() ?? true).toBe(true);
    for (const address of [website, explorer]) expect(new URL(address).protocol).toBe('https:');
    const scripts = [
      ['zh-CN', /\p{Script=Han}/u],
      ['ko-KR', /\p{Script=Hangul}/u],
      ['ja-JP', /\p{Script=Katakana}/u],
    ] as const;
    const english = COIN_WORDS['en-US'][code]!;
    for (const [locale, script] of scripts)
      for (const part of ['description', 'consensus'] as const) {
        expect(english[part]).not.toMatch(script);
        expect(COIN_WORDS[locale][code]![part]).toMatch(script);
      }
    expect(english.description.length).toBeGreaterThan(150);
    for (const [locale] of scripts) expect(COIN_WORDS[locale][code]!.description.length).toBeGreaterThan(50);
  });
});
