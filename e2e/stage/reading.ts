import { Decimal } from '@exchange/core/decimal.ts';
import type { Locator } from 'playwright-core';

/** The first number of a text as people read it: `1,234.5 USDT` is 1234.5. */
export function numberIn(text: string): Decimal {
  const digits = /\d[\d,]*(?:\.\d+)?/.exec(text)?.[0];
  if (digits === undefined) throw new Error(`There is no number in "${text}".`);
  return Decimal.parse(digits.replaceAll(',', ''));
}

/** A number as the English site writes it, with so many decimals or without zeros at its end. */
export function written(number: Decimal, places?: number): string {
  const plain = places === undefined ? number.toString() : number.toPlaces(places);
  const [whole = '', decimals] = plain.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return decimals === undefined ? grouped : `${grouped}.${decimals}`;
}

/** The rows of a table, each cell under the title of its column. */
export async function rowsOf(table: Locator): Promise<Record<string, string>[]> {
  return table.evaluate((element) => {
    const titles = [...element.querySelectorAll('thead th')].map((title) => title.textContent.trim());
    return [...element.querySelectorAll('tbody tr')].map((row) =>
      Object.fromEntries(
        [...row.querySelectorAll('td')].map((cell, at) => [titles[at], cell.textContent.trim()]),
      ),
    );
  });
}
