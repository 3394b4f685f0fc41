import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { filesUnder } from './source/tree.mjs';

const repositoryRoot = join(import.meta.dirname, '..');

/**
 * Returns the CSS declarations and media queries with a size in pixels for the size of a text, a line height, or the
 * width at which a layout changes to make room for its text. Such sizes do not follow the browser's font size setting.
 */
function fixedSizes(css: string): string[] {
  const code = css.replaceAll(/\/\*.*?\*\//gs, '');
  const queries = [...code.matchAll(/@(?:media|container)[^{]*\dpx[^{]*/g)].map(([query]) => query.trim());
  const declarations = [
    ...code.matchAll(/(?<=[{;\s])(?:font-size|font|line-height|--field-size):[^;{}]*\dpx[^;{}]*/g),
  ].map(([declaration]) => declaration);
  return [...queries, ...declarations];
}

describe('sizes of text', () => {
  it('WEB-1011 follow the font size of the browser in every style sheet', () => {
    const sheets = filesUnder(repositoryRoot).filter((path) => path.endsWith('.css'));
    expect(sheets.length).toBeGreaterThan(100);
    const fixed = sheets.flatMap((path) =>
      fixedSizes(readFileSync(join(repositoryRoot, path), 'utf8')).map((size) => `${path}: ${size}`),
    );
    expect(fixed).toEqual([]);
  });

  it('WEB-1011 are found in pixels in any notation', () => {
    expect(fixedSizes('p { font-size: 13px; }')).toEqual(['font-size: 13px']);
    expect(fixedSizes('p { font: 600 13px/1.5 var(--font); line-height: 20px }')).toHaveLength(2);
    expect(fixedSizes('@media (max-width: 380px) { p { color: red; } }')).toEqual([
      '@media (max-width: 380px)',
    ]);
    expect(fixedSizes('/* font-size: 13px */ p { font-size: var(--font-size-13); height: 2px; }')).toEqual(
      [],
    );
  });
});
