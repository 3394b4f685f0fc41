import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plantedTree } from '../testing/planted-tree.ts';
import { fingerprintOf, staleTargets, stampOf, type Target } from './fingerprint.mjs';
import { ensureInstalled, requireNode } from './install.mjs';

const TARGETS: readonly Target[] = ['server', 'desktop', 'mobile', 'console'];

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Creates a source tree in a temporary folder in which every build target is built. */
function builtTree(): string {
  const root = plantedTree({
    'package-lock.json': '{}',
    'packages/core/src/decimal.ts': 'export const zero = 0n;',
    'packages/web-kit/src/ui/button.tsx': 'export const Button = 1;',
    'apps/server/src/main.ts': 'start();',
    'apps/server/migrations/0001_ledger.sql': 'select 1;',
    'apps/desktop/src/main.tsx': 'render();',
    'apps/mobile/src/main.tsx': 'render();',
    'apps/console/src/main.tsx': 'render();',
    'apps/server/dist/main.js': '',
    'apps/desktop/dist/index.html': '',
    'apps/mobile/dist/index.html': '',
    'apps/console/dist/index.html': '',
  });
  for (const target of TARGETS) writeFileSync(stampOf(root, target), fingerprintOf(root, target));
  return root;
}

describe('stale targets', () => {
  it('REPO-012 builds nothing when nothing changed', () => {
    expect(staleTargets(builtTree())).toEqual([]);
  });

  it.each([
    ['packages/core/src/decimal.ts', ['server', 'desktop', 'mobile', 'console']],
    ['packages/web-kit/src/ui/button.tsx', ['desktop', 'mobile', 'console']],
    ['packages/web-kit/src/ui/new-part.tsx', ['desktop', 'mobile', 'console']],
    ['apps/server/migrations/0002_spot.sql', ['server']],
    ['apps/desktop/public/favicon.svg', ['desktop']],
    ['apps/mobile/vite.config.ts', ['mobile']],
    ['package-lock.json', ['server', 'desktop', 'mobile', 'console']],
    ['packages/core/src/decimal.test.ts', []],
    ['apps/server/testing/exchange.ts', []],
  ])('REPO-012 after a change of %s builds %j', (path, expected) => {
    const root = builtTree();
    write(root, path, 'changed');
    expect(staleTargets(root)).toEqual(expected);
  });

  it('REPO-012 builds again when a result or its stamp is missing, or a source was renamed', () => {
    const root = builtTree();
    rmSync(join(root, 'apps/mobile/dist/index.html'));
    rmSync(stampOf(root, 'desktop'));
    rmSync(join(root, 'apps/server/migrations/0001_ledger.sql'));
    write(root, 'apps/server/migrations/0001_journal.sql', 'select 1;');
    expect(staleTargets(root)).toEqual(['server', 'desktop', 'mobile']);
  });
});

describe('installation', () => {
  const lock = {
    packages: {
      '': { dependencies: { pg: '8.0.0' } },
      'node_modules/pg': { version: '8.0.0', integrity: 'sha512-a' },
      'node_modules/only-elsewhere': { version: '1.0.0', integrity: 'sha512-b', optional: true },
    },
  };
  const installed = {
    'package-lock.json': JSON.stringify(lock),
    'node_modules/pg/package.json': '{}',
    'node_modules/.package-lock.json': JSON.stringify({
      packages: { 'node_modules/pg': lock.packages['node_modules/pg'] },
    }),
  };

  it('REPO-013 accepts an installation that matches the lockfile and stamps it', () => {
    const root = plantedTree(installed);
    const output: string[] = [];
    ensureInstalled(root, (line) => output.push(line));
    expect(output).toEqual([]);
    const hash = createHash('sha256').update(installed['package-lock.json']).digest('hex');
    expect(readFileSync(join(root, 'node_modules/.installed-lock'), 'utf8').trim()).toBe(hash);
  });

  it('REPO-013 installs when a package is missing, and says so when that fails', () => {
    const root = plantedTree({ ...installed, 'package.json': 'not json' });
    rmSync(join(root, 'node_modules/pg'), { recursive: true });
    const output: string[] = [];
    const install = () => ensureInstalled(root, (line) => output.push(line));
    // The error message must contain the output of npm, because nothing else is printed when npm fails.
    expect(install).toThrow(/^Installing failed: npm ci ended with \d+\.\nnpm (?:error|ERR!)/);
    expect(output).toEqual(['Installing packages (pg is missing) …']);
    expect(existsSync(join(root, 'node_modules/.installed-lock'))).toBe(false);
  });

  it('REPO-013 names the required version of Node', () => {
    expect(() => requireNode('20.18.3')).toThrow('Node 20.19 or newer is needed; this is 20.18.3.');
    expect(() => requireNode('18.20.0')).toThrow('Node 20.19 or newer');
    for (const version of ['20.19.0', '20.20.2', '24.1.0']) expect(() => requireNode(version)).not.toThrow();
  });
});
