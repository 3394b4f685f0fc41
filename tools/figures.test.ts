import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LOCALES } from '../packages/core/src/locale.ts';
import { describe, expect, it } from 'vitest';
import { readWordTables } from './languages/tables.ts';
import { filesUnder } from './source/tree.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const SCREENS = ['packages/web-kit/src', 'apps/desktop/src', 'apps/mobile/src'];
const UNIT = String.raw`(?:\w+\.)*\w*(?:[cC]oin|[cC]urrency|quote|base|unit)`;

/**
 * Patterns that match code which displays a number beside its unit (such as a coin) without the shared
 * component or function that keeps both on one line, or which sets the number of decimals of an amount
 * itself.
 */
const LOOSE: readonly [problem: string, pattern: RegExp][] = [
  [
    'a template that joins a formatted figure and a unit',
    new RegExp(String.raw`\bformat\w+\([^\`]*\)\} ?\$\{${UNIT}\}`),
  ],
  [
    'an amount with a unit beside it',
    new RegExp(String.raw`<(?:Amount|Price|DayAmount)\b[^>]*/>(?:\s|\{' '\})*(?:<small>)?\{${UNIT}\}`),
  ],
  ['an amount with a number of decimals of its own', /<Amount\b[^>]*\bdigits=\{[1-9]\}/],
];

/** Returns the descriptions of those patterns that match a source file. */
function looseIn(source: string): string[] {
  return LOOSE.filter(([, pattern]) => pattern.test(source)).map(([problem]) => problem);
}

describe('figures', () => {
  it('WEB-954 WEB-955 screens write figures only with the decimal rules and the component that binds the unit', () => {
    const files = filesUnder(root, SCREENS).filter(
      (path) => /\.tsx?$/.test(path) && !/\.test\.|\/testing\/|web-kit\/src\/(?:format|console)\//.test(path),
    );
    expect(files.length).toBeGreaterThan(300);
    const loose = files.flatMap((path) =>
      looseIn(readFileSync(join(root, path), 'utf8')).map((problem) => `${path}: ${problem}`),
    );
    expect(loose).toEqual([]);
  });

  it('WEB-955 the check detects each problem', () => {
    const loose = [
      '`${formatDecimal(amount, locale)} ${coin}`',
      '`${formatPrice(value.toString(), locale, 2)}${pair.quote}`',
      '<Amount value={x} /> {order.quoteCoin}',
      "<Price value={x} digits={2} />{' '}\n<small>{fund.currency}</small>",
      '<Amount value={total} digits={2} hidden={hidden} />',
    ];
    expect(loose.map((source) => looseIn(source).length)).toEqual([1, 1, 1, 1, 1]);
    expect(looseIn('<Amount value={x} digits={digits.amount} coin={pair.base} />')).toEqual([]);
  });

  it('WEB-955 no sentence of any language joins a figure and its unit', () => {
    const withoutSpace =
      /\}\}(?:\{\{(?:coin|currency|quote|base|unit|symbol)\}\}|USDT|BTC)|\d(?:USDT|BTC|ETH)\b/;
    const violations = readWordTables(root).flatMap(({ place, languages }) =>
      LOCALES.flatMap((locale) =>
        [...(languages[locale] ?? [])]
          .filter(([, sentence]) => withoutSpace.test(sentence))
          .map(([key]) => `${locale} ${place} ${key}`),
      ),
    );
    expect(violations).toEqual([]);
  });
});
