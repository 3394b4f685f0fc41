import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { noticesOf, noticesPage } from './source/notices.mjs';

/** Licenses whose conditions the project satisfies when it ships a package with such a license. */
const ALLOWED = [
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'Unlicense',
  'CC0-1.0',
  'Python-2.0',
  'PostgreSQL',
  'LGPL-3.0-or-later',
  // The conditions of MPL-2.0 apply to single files; packages with this license are shipped unchanged, with source and
  // license.
  'MPL-2.0',
];

it('LIVE-043 the server is shipped with the licence of every package, and every licence is allowed', () => {
  const notices = noticesOf(fileURLToPath(new URL('../apps/server', import.meta.url)));
  const names = notices.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['fastify', 'pg', 'ccxt', 'avvio']));
  expect(names.filter((name) => name.startsWith('@exchange/'))).toEqual([]);
  const isAllowed = (license: string) =>
    license
      .replaceAll(/[()]/g, '')
      .split(' AND ')
      .every((part) => part.split(' OR ').some((license) => ALLOWED.includes(license)));
  expect([isAllowed('MIT OR GPL-3.0'), isAllowed('MIT AND GPL-3.0'), isAllowed('')]).toEqual([
    true,
    false,
    false,
  ]);
  expect(
    notices.filter(({ license }) => !isAllowed(license)).map(({ name, license }) => [name, license]),
  ).toEqual([]);
  const page = noticesPage(notices);
  expect(page).toContain('## fastify - ');
  expect(page).toContain('Copyright (c)');
});
