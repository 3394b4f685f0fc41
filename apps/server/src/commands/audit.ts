/**
 * `npm run audit`: recomputes all balances from the ledger's first entry on, in one snapshot of the database (or of its
 * replica, if one is configured), and prints all differences and other problems. It can run beside a running server. If
 * the embedded database is not running, the command starts it for the audit.
 */
import { join } from 'node:path';
import { readOwnConfig } from '../config.ts';
import { AUDIT_CHECKS, HOLDS } from '../money.ts';
import { audit } from '../modules/ledger/index.ts';
import { databaseOver } from '../platform/database/database.ts';
import { isEmbeddedRunning, startEmbeddedPostgres } from '../platform/database/embedded/supervisor.ts';
import { openDatabase } from '../platform/database/pool.ts';
import { rootDirectory } from '../platform/root-directory.ts';
import { commandLine } from './backup/command-line.ts';

await commandLine(async () => {
  const config = readOwnConfig(rootDirectory);
  if (!config.ok) throw new Error(config.refusal.join('\n'));
  const { databaseUrl, replicaDatabaseUrl, dataDirectory } = config.value;

  const quiet = (): void => undefined;
  const embeddedOptions = { dataDirectory: join(dataDirectory, 'database'), log: quiet };
  const wasRunning = databaseUrl === undefined && isEmbeddedRunning(embeddedOptions);
  const embedded = databaseUrl === undefined ? await startEmbeddedPostgres(embeddedOptions) : undefined;
  const connection = embedded?.connection ?? { connectionString: replicaDatabaseUrl ?? databaseUrl ?? '' };
  // The audit reads all ledger entries. A statement may therefore take longer than the usual time limit, so the limit
  // for the audit is one hour.
  const pool = openDatabase({ connection, log: quiet, name: 'audit', statementTimeoutMs: 3_600_000 });
  const report = await audit(databaseOver(pool).reader, HOLDS, AUDIT_CHECKS);
  await pool.end();
  if (!wasRunning) await embedded?.stop();

  process.stdout.write(`${report.entries} entries, ${report.accounts} accounts, state ${report.stateHash}\n`);
  for (const { invariant, asset, detail } of report.problems) {
    process.stdout.write(`${invariant} ${asset ?? 'all'}: ${detail}\n`);
  }
  process.stdout.write(
    report.problems.length === 0 ? 'Everything adds up.\n' : `${report.problems.length} problems.\n`,
  );
  process.exit(report.problems.length === 0 ? 0 : 1);
});
