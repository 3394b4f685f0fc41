/**
 * Measures the reconciliation with a million accounts of 200,000 users: the reconciliation that runs every minute and
 * verifies the new entries, and the comparison of all accounts. Prints the figures and writes
 * `bench/results/reconciliation.json`. Run: npx tsx bench/reconciliation.ts
 */
import { watchMachine } from './measuring/machine.ts';
import { startPostgres } from './measuring/postgres.ts';
import { buildPrograms, runProgram, temporaryFolder } from './measuring/programs.ts';
import { writeResults } from './measuring/results.ts';
import type { ReconciliationOutcome } from './reconciliation/program.ts';

const ACCOUNTS = Number(process.env['ACCOUNTS'] ?? 1_000_000);

const disturbance = watchMachine();
const folder = await temporaryFolder();
const { side } = await buildPrograms('reconciliation', { side: 'reconciliation/program.ts' });
const postgres = await startPostgres(folder.path);
let outcome: ReconciliationOutcome;
try {
  const database = JSON.stringify(await postgres.makeTemplate('reconciliation'));
  outcome = await runProgram(side, [database, ACCOUNTS]);
} finally {
  await postgres.stop();
  await folder.remove();
}
console.table([outcome]);
if (ACCOUNTS === 1_000_000)
  await writeResults('reconciliation', { disturbance: disturbance(), figures: [outcome] });
