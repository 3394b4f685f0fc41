import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';

/** Presses a button that saves a CSV file; gives the file's rows, each cell under its heading. */
export async function savedRows(page: Page, press: Locator): Promise<Record<string, string>[]> {
  const saved = page.waitForEvent('download');
  await press.click();
  return csvRows(readFileSync(await (await saved).path(), 'utf8'));
}

/** The rows of a CSV text by their headings. */
function csvRows(text: string): Record<string, string>[] {
  const [headings = [], ...rows] = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .map(cellsOf);
  return rows.map((cells) => Object.fromEntries(headings.map((heading, at) => [heading, cells[at] ?? ''])));
}

/** A cell is bare or in quotes, with quotes inside doubled. */
function cellsOf(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
    ([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? '',
  );
}
