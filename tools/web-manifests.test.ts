import { describe, expect, it } from 'vitest';
import { LOCALES } from '../packages/core/src/locale.ts';
import { paths } from '../packages/web-kit/src/paths.ts';
import { manifestFile, manifestOf } from './web-manifests.ts';

describe('the manifests of the installable sites', () => {
  it('WEB-1112 open trading, assets and deposits from the menu of the app, in its language', () => {
    for (const base of ['/', '/pc/'])
      for (const locale of LOCALES) {
        const { id, lang, scope, start_url: start, shortcuts } = manifestOf(base, locale);
        expect([id, scope, start, lang]).toEqual([base, base, `${base}main`, locale]);
        expect(shortcuts.map(({ url }) => url)).toEqual(
          [paths.trade, paths.assets, paths.deposit].map((path) => base.slice(0, -1) + path),
        );
      }
    const namesOf = (locale: (typeof LOCALES)[number]) =>
      manifestOf('/pc/', locale).shortcuts.map(({ name }) => name);
    expect(namesOf('en-US')).toEqual(['Spot trading', 'Assets', 'Deposit']);
    expect(new Set(LOCALES.map((locale) => namesOf(locale).join()))).toHaveLength(LOCALES.length);
  });

  it('WEB-1112 are files of their own for each language', () => {
    expect(LOCALES.map(manifestFile).toSorted()).toEqual([
      'manifest.ja-JP.webmanifest',
      'manifest.ko-KR.webmanifest',
      'manifest.webmanifest',
      'manifest.zh-CN.webmanifest',
    ]);
  });
});
