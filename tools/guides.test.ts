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
/** Returns all matches of an expression in the pages, each with its page. */
const matchesOf = (expression: RegExp) =>
  pages.flatMap(({ file, text }) =>
    [...text.matchAll(expression)].map(([, target]) => ({ file, target: target! })),
  );

it('LIVE-042 README and guides refer only to existing screens, endpoints, commands, files and links', () => {
  const screens = new Set(ALL_SCREENS.flatMap(([, screen]) => addressesOf(screen)));
  const paths = matchesOf(/`(\/[a-z][a-z/-]*)`/g).filter(({ target }) => !target.startsWith('/bb/app'));
  const elsewhere = ['/pc/', '/health', '/docs', '/docs/api', '/ops', '/dev/mail'];
  expect(paths.length).toBeGreaterThan(10);
  expect(paths.filter(({ target }) => !screens.has(target) && !elsewhere.includes(target))).toEqual([]);
  const calls = new Set(ENDPOINTS.map(({ path }) => path));
  const called = matchesOf(/\/bb\/app(\/[a-z]+\/[a-zA-Z]+)/g);
  expect(called.length).toBeGreaterThan(1);
  expect(called.filter(({ target }) => !calls.has(target))).toEqual([]);
  expect(matchesOf(/npm run ([a-z:-]+)/g).filter(({ target }) => !(target in scripts))).toEqual([]);
  const files = matchesOf(/(?:^|[\s`])((?:apps|packages|tools|docs|bench)\/[\w./-]*\w)/gm);
  expect(files.filter(({ target }) => !existsSync(join(root, target)))).toEqual([]);
  const links = matchesOf(/\]\((?!http)([^)#]+)(?:#[^)]*)?\)/g);
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter(({ file, target }) => !existsSync(join(root, dirname(file), target)))).toEqual([]);
});
