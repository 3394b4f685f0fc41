import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const JOURNEYS = join(import.meta.dirname, '../e2e');

/** Returns the files of the browser tests with their texts, without the files in `exceptions`. */
function sourcesExcept(...exceptions: readonly string[]): readonly (readonly [file: string, text: string])[] {
  return readdirSync(JOURNEYS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('node_modules') && !exceptions.includes(file))
    .map((file) => [file, readFileSync(join(JOURNEYS, file), 'utf8')]);
}

it.each([
  ['waits a fixed time on a page', /\.waitForTimeout\(/, []],
  ['opens a browser context without recordings and screenshots', /\.newContext\(/, ['fixtures/contexts.ts']],
  ['looks for a notice while it is shown', /Notifications-root/, ['fixtures/notices.ts']],
] as const)('REPO-913 no browser test %s', (_, pattern, exceptions) => {
  const sources = sourcesExcept(...exceptions);
  expect(sources.length).toBeGreaterThan(30);
  expect(sources.filter(([, text]) => pattern.test(text)).map(([file]) => file)).toEqual([]);
});
