import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentMatch, documentText, nearTexts } from './document-match.ts';

const match = (left: string, right: string, country = 'GB') =>
  documentMatch({ country: 'GB', idCard: left }, { country, idCard: right });
const alphabet = Array.from('ABCOIL0123456789');
const number = fc
  .array(fc.constantFrom(...alphabet), { minLength: 5, maxLength: 24 })
  .map((characters) => characters.join(''));

describe('document numbers', () => {
  it('KYC-860 are equal regardless of separators', () => {
    for (const idCard of [
      'LOVE181512',
      'love-1815-12',
      'LOVE 1815 12',
      '--LOVE1815-12-',
      'ＬＯＶＥ１８１５１２',
    ])
      expect(match('LOVE 1815-12', idCard)).toBe('same document');
    expect(documentText('LOVE 1815-12')).toBe('LOVE181512');
  });

  it('KYC-861 KYC-862 are classified by how they differ', () => {
    expect(match('LOVE181512', 'LOVE181512', 'ES')).toBe('same number, other country');
    expect(match('LOVE181512', '000LOVE1815120')).toBe('look-alike or zeros');
    expect(match('LOVE181512', 'L0VE18I512')).toBe('look-alike or zeros');
    expect(match('LOVE181512', 'LOVE181521')).toBe('two characters swapped');
    expect(match('LOVE181512', 'LOVE181513')).toBe('one character differs');
    expect(match('LOVE181512', 'LOVE1815123')).toBe('one character differs');
    expect(match('LOVE181512', 'OVE181512')).toBe('one character differs');
    expect(match('LOVE181512', 'LOVE181534')).toBeUndefined();
    expect(match('LOVE181512', 'LOVE18151234')).toBeUndefined();
  });

  it('KYC-861 that match share an index text', () => {
    const changed = fc
      .tuple(number, fc.nat(), fc.constantFrom(...alphabet), fc.nat(3))
      .map(([text, n, character, kind]) => {
        const at = n % (text.length - 1);
        const [before, after] = [text.slice(0, at), text.slice(at)];
        const similarNumber = [
          before + character + after,
          before + after.slice(1),
          before + character + after.slice(1),
          before + after.charAt(1) + after.charAt(0) + after.slice(2),
        ][kind]!;
        return [text, similarNumber] as const;
      });
    fc.assert(
      fc.property(changed, ([left, right]) => {
        expect(match(left, right)).toBeDefined();
        const texts = new Set(nearTexts(left));
        expect(nearTexts(right).some((text) => texts.has(text))).toBe(true);
      }),
    );
    fc.assert(
      fc.property(number, fc.nat(24), (text, at) => {
        const similarNumber = `00${text.slice(0, at)}0${text.slice(at)}`;
        const texts = new Set(nearTexts(text));
        expect(nearTexts(similarNumber).some((text) => texts.has(text))).toBe(true);
      }),
    );
  });
});
