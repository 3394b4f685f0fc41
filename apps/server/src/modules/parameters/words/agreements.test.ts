import { createHash } from 'node:crypto';
import { AGREEMENT_VERSIONS } from '@exchange/core/agreements.ts';
import { LOCALES } from '@exchange/core/locale.ts';
import { describe, expect, it } from 'vitest';
import { AGREEMENTS } from './agreements.ts';

/**
 * The first 16 hexadecimal digits of the SHA-256 of each text, by agreement and version, in the order of the
 * languages. When a text changes, raise its version in core/agreements.ts and add a line; never change
 * existing lines.
 */
const PUBLISHED: Readonly<Record<string, readonly string[]>> = {
  'user 1': ['0bbeed223cecb57e', '4554e6c7e451dfaa', '1fd2c83f3046fcee', 'a7f0b14a4e6c6593'],
  'privacy 1': ['622f8f336c9ce273', '73af18aaf48e446f', '697bbd5874fee79d', 'ad5a2e23ea5ec55b'],
  'user 2': ['ebe97581d178b44d', '453076e10b3cadf1', 'c40949442e8c21ef', '77e87770717ef8bb'],
  'privacy 2': ['2bb9113701f58147', '6e3798bedbcfadbd', 'b858ae3ecbe68cd3', '598098a7df24e966'],
  'finance 2': ['83b75f9f8fdb6b8f', 'f6c71024d3275ab0', '90de2e1f49696bb9', '85a6c73fac35e262'],
  'mining 2': ['94e7bc68e0df404e', 'e3257bbc8ddfb139', '6a616420112a875c', '9d35395a78264cd3'],
  'seconds 2': ['ce13c11be09c1c8f', '808b03275ad38b9b', '6e8e56e41b1930b8', '5181546068413467'],
  'subscription 2': ['e8246851d395a526', '98bfb20ca76c9a5a', '20c4b9cf4a9e9029', 'e8eed21cd90b7b9f'],
};

const NAMES = ['user', 'privacy', 'finance', 'mining', 'subscription', 'seconds'] as const;

/** The type of each paragraph of a text: heading, list item or other. */
const shapeOf = (text: string) =>
  text.split('\n\n').map((paragraph) => (/^[#-] /.test(paragraph) ? paragraph[0] : 'paragraph'));

describe('agreements', () => {
  it.each(['user', 'privacy'] as const)(
    'HELP-020 %s has the same sections, paragraphs and items in every language, and each section its number',
    (name) => {
      const { text, effectiveDate } = AGREEMENTS[name];
      for (const locale of LOCALES) {
        expect(shapeOf(text[locale]), locale).toEqual(shapeOf(text['en-US']));
        const headings = text[locale].split('\n\n').filter((paragraph) => paragraph.startsWith('# '));
        expect(headings.length).toBeGreaterThan(11);
        headings.forEach((heading, at) => expect(/\d+/.exec(heading)?.[0], heading).toBe(String(at + 1)));
      }
      expect(Date.parse(effectiveDate ?? '')).toBeGreaterThan(0);
    },
  );

  it.each(NAMES)(
    'FIN-033 ID-131 the text of %s has a new version when it changes in any language',
    (name) => {
      const { version, text } = AGREEMENTS[name];
      expect(version).toBe(AGREEMENT_VERSIONS[name]);
      const hashes = LOCALES.map((locale) =>
        createHash('sha256').update(text[locale]).digest('hex').slice(0, 16),
      );
      expect(hashes).toEqual(PUBLISHED[`${name} ${version}`]);
    },
  );
});
