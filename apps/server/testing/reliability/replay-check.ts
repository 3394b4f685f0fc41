import { join } from 'node:path';
import { replaySteps } from '../../src/commands/replay/replay-steps.ts';
import { stateHashes } from '../../src/commands/replay/state-hashes.ts';
import type { EmbeddedConnection } from '../../src/platform/database/embedded/answer.ts';
import { databaseOver } from '../../src/platform/database/database.ts';
import { inSnapshot } from '../../src/platform/database/snapshot.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { openDatabase } from '../../src/platform/database/pool.ts';
import { rootDirectory } from '../../src/platform/root-directory.ts';
import { openServerSecret } from '../../src/platform/secrets/server-secret.ts';
import { stepIdSecret } from '../../src/platform/sequencer/step-ids.ts';

const quiet = (): void => undefined;
const log = {
  debug: quiet,
  info: quiet,
  warn: quiet,
  error: quiet,
};

const TARGET = 'replayed';
const STATEMENT_TIMEOUT_MS = 300_000;

/**
 * Replays the journal of a stopped exchange into a new database on the same PostgreSQL server. The new database is not
 * dropped afterwards. Returns a message for each part of the state that differs from the exchange's database.
 * `dataDirectory` contains the exchange's secret.
 */
export async function replayProblems(
  connection: EmbeddedConnection,
  dataDirectory: string,
): Promise<readonly string[]> {
  const secret = stepIdSecret(
    await openServerSecret({ configuredSecret: undefined, dataDirectory, mustExist: true }),
  );
  const target = { ...connection, database: TARGET };
  const pools = [connection, target].map((each) =>
    openDatabase({ connection: each, log: quiet, name: 'replay', statementTimeoutMs: STATEMENT_TIMEOUT_MS }),
  );
  const [stored, replayed] = pools.map((pool) => databaseOver(pool));
  try {
    await pools[0]!.query(`create database ${TARGET}`);
    await migrate({
      connection: target,
      directory: join(rootDirectory, 'apps/server/migrations'),
      log: quiet,
    });
    return await inSnapshot(stored!.reader, async (source) => {
      const { state } = await replaySteps({
        source,
        target: { connection: target, database: replayed! },
        secret,
        log,
      });
      const after = await stateHashes(replayed!.reader, state);
      const before = await stateHashes(source, state);
      const different = before.filter(({ hash }, part) => after[part]?.hash !== hash);
      return different.map(({ name }) => `a replay gives other ${name}`);
    });
  } finally {
    await Promise.all(pools.map((pool) => pool.end()));
  }
}
