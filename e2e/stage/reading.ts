import { Decimal } from '@exchange/core/decimal.ts';
import type { Locator } from 'playwright-core';

/** Returns the first number of a displayed text: `1,234.5 USDT` gives 1234.5. */
export function numberIn(text: string): Decimal {
  const digits = /\d[\d,]*(?:\.\d+)?/.exec(text)?.[0];
  if (digits === undefined) throw new Error(`There is no number in "${text}".`);
  return Decimal.parse(digits.replaceAll(',', ''));
}

/** Formats a number like the English site, with `places` decimals or without trailing zeros. */
export function written(number: Decimal, places?: number): string {
  const plain = places === undefined ? number.toString() : number.toPlaces(places);
  const [whole = '', decimals] = plain.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return decimals === undefined ? grouped : `${grouped}.${decimals}`;
}

/**
 * Returns the texts of the children of these elements (rows of a table, terms of a list), read at one time. Shortened
 * figures are returned in full.
 */
export function textsOf(rows: Locator): Promise<string[][]> {
  return rows.evaluateAll((elements) =>
    elements.map((element) =>
      [...element.children].map((child) => {
        const copy = child.cloneNode(true) as Element;
        for (const cut of copy.querySelectorAll('[title]')) {
          const whole = cut.getAttribute('title') ?? '';
          if (/^[−-]?[\d,]+\.\d+(?:\s[A-Z]+)?$/.test(whole)) cut.textContent = whole;
        }
        return copy.textContent.replaceAll(/\s+/g, ' ').trim();
      }),
    ),
  );
}

/**
 * Returns the rows of a table with cells by column title. The cells of a column with two titles (`Filled / Amount`)
 * are split.
 */
export async function rowsOf(table: Locator): Promise<Record<string, string>[]> {
  const [titles = [], ...rows] = await textsOf(table.locator('tr'));
  return rows.map((cells) =>
    Object.fromEntries(cells.flatMap((text, at) => entriesOf(titles[at] ?? '', text))),
  );
}

const BETWEEN = ' / ';

function entriesOf(title: string, text: string): [string, string][] {
  const names = title.split(BETWEEN);
  const parts = text.split(BETWEEN);
  const isParted = names.length > 1 && names.length === parts.length;
  return [[title, text], ...(isParted ? names.map((name, at): [string, string] => [name, parts[at]!]) : [])];
}
