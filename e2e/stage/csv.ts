import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';

/** Presses a button that saves a CSV file. Returns the rows of the file, each with its cells by heading. */
export async function savedRows(page: Page, press: Locator): Promise<Record<string, string>[]> {
  const saved = page.waitForEvent('download');
  await press.click();
  return csvRows(readFileSync(await (await saved).path(), 'utf8'));
}

/** Parses a CSV text into rows with cells by heading. */
function csvRows(text: string): Record<string, string>[] {
  const [headings = [], ...rows] = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .map(cellsOf);
  return rows.map((cells) => Object.fromEntries(headings.map((heading, at) => [heading, cells[at] ?? ''])));
}

/** A cell is plain or quoted; quotes inside a quoted cell are doubled. */
function cellsOf(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
    ([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? '',
  );
}
