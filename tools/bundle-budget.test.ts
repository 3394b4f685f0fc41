import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { budgetViolations } from './bundle-budget.mjs';
import { plantedTree } from './testing/planted-tree.ts';

/** Returns a random text that has about the given number of bytes after compression. */
const noise = (bytes: number): string => randomBytes(bytes).toString('base64');

function builtApp(app: string, sizes: Readonly<Record<string, number>>): Record<string, string> {
  const folder = `apps/${app}/dist`;
  const manifest = {
    'index.html': {
      file: 'entry.js',
      isEntry: true,
      imports: ['_vendor.js'],
      dynamicImports: ['src/home/home-screen.tsx', 'src/trade/trade-screen.tsx', 'src/ui/always.tsx'],
    },
    '_vendor.js': { file: 'vendor.js', imports: ['_shared.js'] },
    '_shared.js': { file: 'shared.js' },
    'src/home/home-screen.tsx': { file: 'home.js', imports: ['_shared.js'], isDynamicEntry: true },
    'src/ui/always.tsx': { file: 'always.js', isDynamicEntry: true },
    'src/trade/trade-screen.tsx': { file: 'trade.js', imports: ['_vendor.js'], isDynamicEntry: true },
  };
  const files = ['entry', 'vendor', 'shared', 'home', 'always', 'trade'].map((name) => {
    return [`${folder}/${name}.js`, noise(sizes[name] ?? 100)];
  });
  return { [`${folder}/.vite/manifest.json`]: JSON.stringify(manifest), ...Object.fromEntries(files) };
}

const BUDGETS = new Map([
  ['desktop', 50_000],
  ['mobile', 50_000],
]);

function rulesOf(files: Readonly<Record<string, string>>, print?: (line: string) => void): string[] {
  return budgetViolations(plantedTree(files), BUDGETS, print).map(({ why }) =>
    why.replace(/[\d.]+ kB/, 'N kB'),
  );
}

it('REPO-010 accepts first screens under the budget and prints their files', () => {
  const lines: string[] = [];
  const files = { ...builtApp('desktop', { trade: 200_000 }), ...builtApp('mobile', {}) };
  expect(rulesOf(files, (line) => lines.push(line))).toEqual([]);
  const parts = lines.filter((line) => line.startsWith('  ')).map((line) => line.trim().split('  ')[1]);
  expect(new Set(parts.slice(0, 5))).toEqual(
    new Set(['always.js', 'entry.js', 'home.js', 'shared.js', 'vendor.js']),
  );
});

it.each(['entry', 'vendor', 'shared', 'home', 'always'])(
  'REPO-010 counts the %s of the first screen',
  (name) => {
    const files = { ...builtApp('desktop', {}), ...builtApp('mobile', { [name]: 60_000 }) };
    expect(rulesOf(files)).toEqual(['mobile needs N kB of script first']);
  },
);

it('REPO-010 refuses an app that is not built', () => {
  expect(rulesOf(builtApp('desktop', {}))).toEqual(['mobile is not built']);
});
