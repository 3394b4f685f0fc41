import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addressesOf, ALL_SCREENS } from '@exchange/wire/screens.ts';
import { ENDPOINTS } from '@exchange/wire/catalogue.ts';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const guides = readdirSync(join(root, 'docs/guides')).map((name) => join('docs/guides', name));
const pages = ['README.md', ...guides].map((file) => ({
  file,
  text: readFileSync(join(root, file), 'utf8'),
}));
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
/** Everything that an expression finds in the pages, with the page. */
const found = (expression: RegExp) =>
  pages.flatMap(({ file, text }) => [...text.matchAll(expression)].map(([, one]) => ({ file, one: one! })));

it('LIVE-042 what README and guides send a newcomer to is there: screens, calls, commands, files and links', () => {
  const screens = new Set(ALL_SCREENS.flatMap(([, screen]) => addressesOf(screen)));
  const asked = found(/`(\/[a-z][a-z/-]*)`/g).filter(({ one }) => !one.startsWith('/bb/app'));
  const elsewhere = ['/pc/', '/health', '/docs', '/ops', '/dev/mail'];
  expect(asked.length).toBeGreaterThan(10);
  expect(asked.filter(({ one }) => !screens.has(one) && !elsewhere.includes(one))).toEqual([]);
  const calls = new Set(ENDPOINTS.map(({ path }) => path));
  const called = found(/\/bb\/app(\/[a-z]+\/[a-zA-Z]+)/g);
  expect(called.length).toBeGreaterThan(1);
  expect(called.filter(({ one }) => !calls.has(one))).toEqual([]);
  expect(found(/npm run ([a-z:]+)/g).filter(({ one }) => !(one in scripts))).toEqual([]);
  const files = found(/(?:^|[\s`])((?:apps|packages|tools|docs|bench)\/[\w./-]*\w)/gm);
  expect(files.filter(({ one }) => !existsSync(join(root, one)))).toEqual([]);
  const links = found(/\]\((?!http)([^)#]+)(?:#[^)]*)?\)/g);
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter(({ file, one }) => !existsSync(join(root, dirname(file), one)))).toEqual([]);
});
