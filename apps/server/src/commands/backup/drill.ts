import { backUp, restoreBackup } from '../../platform/backup/backup.ts';
import { bringUpToDate } from '../../platform/bring-up-to-date.ts';
import { databaseOver } from '../../platform/database/database.ts';
import { openDatabase, type DatabaseConnection } from '../../platform/database/pool.ts';
import { migrate } from '../../platform/database/migrate.ts';
import type { Log } from '../../platform/log.ts';
import { replayFromCheckpoint } from '../replay/from-checkpoint.ts';
import { replaySteps } from '../replay/replay-steps.ts';
import { onScratchDatabase } from '../replay/scratch-database.ts';
import { stateHashes } from '../replay/state-hashes.ts';
import { auditOf } from './audit-of.ts';
import { migrations, quiet } from './own-database.ts';

const HOUR_MS = 3_600_000;
const silent: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

export interface DrillOptions {
  readonly connection: DatabaseConnection;
  /** For the backup; stays afterwards. */
  readonly folder: string;
  /** Of the ids made in steps, see `stepIdSecret`. */
  readonly secret: Uint32Array;
  readonly madeAt: Date;
  /** Where the rows of checkpoints are, and the key that signs them, for a replay from the newest one instead of zero. */
  readonly fromCheckpoint?: { readonly checkpoints: string; readonly publicKey: string } | undefined;
}

export interface DrillReport {
  readonly rows: number;
  readonly entries: number;
  readonly steps: number;
  /** What the audit finds, and what a replay of the restored journal makes differently. */
  readonly problems: readonly string[];
}

/**
 * Makes a backup, restores it on a database of its own, audits that, and replays its journal on another one, from zero or
 * from the newest checkpoint: what comes out must be what was restored. Both are removed.
 */
export function drill({
  connection,
  folder,
  secret,
  madeAt,
  fromCheckpoint,
}: DrillOptions): Promise<DrillReport> {
  return onScratchDatabase(connection, 'drill', async (restored) => {
    await backUp(connection, folder, madeAt);
    const { tables } = await restoreBackup({ connection: restored, folder, migrations, log: quiet });
    await bringUpToDate({ owner: restored, runtimeRole: undefined, directory: migrations, log: quiet });
    const { entries, problems } = await auditOf(restored);
    const replayed = await onScratchDatabase(connection, 'drill_replay', (target) =>
      replay(restored, target, { secret, fromCheckpoint }),
    );
    return {
      rows: tables.reduce((sum, { rows }) => sum + rows, 0),
      entries,
      steps: replayed.steps,
      problems: [
        ...problems.map(({ invariant, asset, detail }) => `${invariant} ${asset ?? 'all'}: ${detail}`),
        ...replayed.different,
      ],
    };
  });
}

async function replay(
  restored: DatabaseConnection,
  target: DatabaseConnection,
  { secret, fromCheckpoint }: Pick<DrillOptions, 'secret' | 'fromCheckpoint'>,
): Promise<{ steps: number; different: readonly string[] }> {
  await migrate({ connection: target, directory: migrations, log: quiet });
  const [from, into] = [restored, target].map((connection) =>
    openDatabase({ connection, log: quiet, name: 'drill', statementTimeoutMs: HOUR_MS }),
  );
  const [source, made] = [databaseOver(from!), databaseOver(into!)];
  try {
    return await source.reader
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (snapshot) => {
        const parts = { source: snapshot, target: { connection: target, database: made } };
        if (fromCheckpoint !== undefined) {
          const options = { ...parts, ...fromCheckpoint, secret, log: silent, wanted: undefined };
          const { steps, problems } = await replayFromCheckpoint(options);
          return { steps, different: problems };
        }
        const { steps, state } = await replaySteps({ ...parts, secret, log: silent });
        const [wanted, found] = [await stateHashes(snapshot, state), await stateHashes(made.reader, state)];
        const different = wanted
          .filter(({ hash }, at) => found[at]?.hash !== hash)
          .map(({ name }) => `${name}: a replay makes it differently`);
        return { steps, different };
      });
  } finally {
    await Promise.all([from!.end(), into!.end()]);
  }
}
