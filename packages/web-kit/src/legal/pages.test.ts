import { LOCALES } from '@exchange/core/locale.ts';
import { describe, expect, it } from 'vitest';
import { sectionsOf, type Section } from './legal-document.tsx';
import { CHECKS, loadLegalTexts } from './pages.ts';

/**
 * Returns for each section of a legal text the list of its parts: `paragraph` for a paragraph, and for a list
 * the number of its items. The result does not contain the wording, so that tests can compare it between
 * languages.
 */
const shapeOf = (sections: readonly Section[]) =>
  sections.map(({ parts }) => parts.map((part) => (part.is === 'list' ? part.items.length : part.is)));

describe('legal pages', () => {
  it('HELP-020 HELP-023 have as many sections, paragraphs, items and checks in every language', async () => {
    const english = await loadLegalTexts('en-US');
    for (const locale of LOCALES) {
      const localized = await loadLegalTexts(locale);
      for (const page of ['us', 'legal'] as const) {
        const [translated, original] = [sectionsOf(localized[page]), sectionsOf(english[page])];
        expect(shapeOf(translated), `${locale} ${page}`).toEqual(shapeOf(original));
        expect(translated.length, page).toBeGreaterThan(3);
        expect(new Set(localized[page]).size, `${locale} ${page}`).toBe(localized[page].length);
      }
      expect(Object.keys(localized.checks).toSorted()).toEqual(CHECKS.toSorted());
    }
  });

  it('HELP-020 parses marks into sections of paragraphs and lists', () => {
    expect(sectionsOf(['lead', '# One', 'a', '- b', '- c', 'd', '# Two', '- e'])).toEqual([
      { title: undefined, parts: [{ is: 'paragraph', text: 'lead' }] },
      {
        title: 'One',
        parts: [
          { is: 'paragraph', text: 'a' },
          { is: 'list', items: ['b', 'c'] },
          { is: 'paragraph', text: 'd' },
        ],
      },
      { title: 'Two', parts: [{ is: 'list', items: ['e'] }] },
    ]);
    expect(sectionsOf([])).toEqual([]);
  });
});
