/**
 * Measures the compressed size of the scripts that the first screen of each app loads. The apps must be built. Writes
 * `bench/results/page-weight.json`. Run: npx tsx bench/page-weight.ts
 */
import { BUDGETS_BYTES, firstScreenOf } from '../tools/bundle-budget.mjs';
import { repositoryRoot } from './measuring/programs.ts';
import { writeResults } from './measuring/results.ts';

const rows = [...BUDGETS_BYTES].map(([app, budgetBytes]) => {
  const { files, bytes } = firstScreenOf(repositoryRoot, app);
  return { app, files: files.length, gzipBytes: bytes, budgetBytes };
});
console.table(rows);
await writeResults('page-weight', { rows });
