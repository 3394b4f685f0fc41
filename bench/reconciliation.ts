/**
 * Measures the reconciliation with a million accounts of 200,000 users: the rounds that run every minute, and a full
 * pass. Prints the figures and writes `bench/results/reconciliation.json`. Run: npx tsx bench/reconciliation.ts
 */
import { watchMachine } from './measuring/machine.ts';
import { startPostgres } from './measuring/postgres.ts';
import { builtPrograms, outcomeOf, temporaryFolder } from './measuring/programs.ts';
import { keepResults } from './measuring/results.ts';
import type { ReconciliationOutcome } from './reconciliation/side.ts';

const ACCOUNTS = Number(process.env['ACCOUNTS'] ?? 1_000_000);

const disturbance = watchMachine();
const folder = await temporaryFolder();
const { side } = await builtPrograms('reconciliation', { side: 'reconciliation/side.ts' });
const postgres = await startPostgres(folder.path);
let outcome: ReconciliationOutcome;
try {
  const database = JSON.stringify(await postgres.makeTemplate('reconciliation'));
  outcome = await outcomeOf(side, [database, ACCOUNTS]);
} finally {
  await postgres.stop();
  await folder.remove();
}
console.table([outcome]);
if (ACCOUNTS === 1_000_000)
  await keepResults('reconciliation', { disturbance: disturbance(), figures: [outcome] });
