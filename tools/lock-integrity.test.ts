import { expect, it } from 'vitest';
import { lockViolations } from './lock-integrity.mjs';
import { plantedTree } from './testing/planted-tree.ts';

const INTEGRITY = `sha512-${'A'.repeat(86)}==`;

function faultsOf(packages: Readonly<Record<string, unknown>>): string[] {
  const lock = JSON.stringify({ lockfileVersion: 3, packages }, null, 2);
  return lockViolations(plantedTree({ 'package-lock.json': lock })).map(({ line, why }) => `${line} ${why}`);
}

it('REPO-008 accepts pinned packages, our workspaces and the links to them', () => {
  expect(
    faultsOf({
      '': { name: 'exchange' },
      'packages/core': { name: '@exchange/core' },
      'node_modules/@exchange/core': { resolved: 'packages/core', link: true },
      'node_modules/pg': { version: '8.0.0', integrity: INTEGRITY },
    }),
  ).toEqual([]);
});

it('REPO-008 refuses packages of the clients that tests install, too', () => {
  const lock = JSON.stringify({ packages: { 'node_modules/x': { version: '1.0.0' } } });
  const tree = plantedTree({ 'package-lock.json': '{}', 'tools/clients/package-lock.json': lock });
  expect(lockViolations(tree).map(({ file, why }) => `${file} ${why}`)).toEqual([
    'tools/clients/package-lock.json node_modules/x: has no sha512 integrity',
  ]);
});

it.each([
  ['has no sha512 integrity', { version: '1.0.0' }],
  ['has no sha512 integrity', { version: '1.0.0', integrity: 'sha1-abc=' }],
  ['is fetched over plain http', { resolved: 'http://example.org/x.tgz', integrity: INTEGRITY }],
  [
    'comes from git+ssh://git@example.org/x, not from a registry',
    { resolved: 'git+ssh://git@example.org/x', integrity: INTEGRITY },
  ],
])('REPO-008 refuses a package that %s', (why, entry) => {
  const faults = faultsOf({ '': {}, 'node_modules/x': entry, 'apps/server/node_modules/y': entry });
  expect(faults.map((fault) => fault.replace(/^\d+ /, ''))).toEqual([
    `node_modules/x: ${why}`,
    `apps/server/node_modules/y: ${why}`,
  ]);
  expect(faults[0]).toMatch(/^5 /);
});
