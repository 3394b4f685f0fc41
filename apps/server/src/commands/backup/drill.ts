import { backUp, restoreBackup } from '../../platform/backup/backup.ts';
import { bringUpToDate } from '../../platform/bring-up-to-date.ts';
import { databaseOver } from '../../platform/database/database.ts';
import { openDatabase, type DatabaseConnection } from '../../platform/database/pool.ts';
import { migrate } from '../../platform/database/migrate.ts';
import { inSnapshot } from '../../platform/database/snapshot.ts';
import type { Log } from '../../platform/log.ts';
import type { SigningKey } from '../../platform/secrets/signing-key.ts';
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
  /** Folder into which the backup is written; the drill does not remove it. */
  readonly folder: string;
  /**
   * Secret from which the ids that steps generate are derived (see `stepIdSecret`), so that the replay generates the
   * same ids.
   */
  readonly secret: Uint32Array;
  readonly madeAt: Date;
  /**
   * Folder with the rows of the checkpoints, and the key that signs checkpoints: the replay starts from the newest
   * checkpoint. If undefined, the replay starts from an empty database.
   */
  readonly fromCheckpoint?: { readonly checkpoints: string; readonly signingKey: SigningKey } | undefined;
}

export interface DrillReport {
  readonly rows: number;
  readonly entries: number;
  readonly steps: number;
  /** Problems that the audit found, and differences between the replayed and the restored state. */
  readonly problems: readonly string[];
}

/**
 * Makes a backup without uploaded files, restores it into a temporary database, audits that database, and replays its
 * journal into a second temporary database, starting from an empty state or from the newest checkpoint. The replay must
 * result in the restored state. Both databases are removed at the end.
 */
export function drill({
  connection,
  folder,
  secret,
  madeAt,
  fromCheckpoint,
}: DrillOptions): Promise<DrillReport> {
  return onScratchDatabase(connection, 'drill', async (restored) => {
    await backUp(connection, { folder, madeAt });
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
  const [sourcePool, targetPool] = [restored, target].map((connection) =>
    openDatabase({ connection, log: quiet, name: 'drill', statementTimeoutMs: HOUR_MS }),
  );
  const [source, replayedDatabase] = [databaseOver(sourcePool!), databaseOver(targetPool!)];
  try {
    return await inSnapshot(source.reader, async (snapshot) => {
      const parts = { source: snapshot, target: { connection: target, database: replayedDatabase } };
      if (fromCheckpoint !== undefined) {
        const options = { ...parts, ...fromCheckpoint, secret, log: silent, step: undefined };
        const { steps, problems } = await replayFromCheckpoint(options);
        return { steps, different: problems };
      }
      const { steps, state } = await replaySteps({ ...parts, secret, log: silent });
      const [expected, actual] = [
        await stateHashes(snapshot, state),
        await stateHashes(replayedDatabase.reader, state),
      ];
      const different = expected
        .filter(({ hash }, index) => actual[index]?.hash !== hash)
        .map(({ name }) => `${name}: a replay makes it differently`);
      return { steps, different };
    });
  } finally {
    await Promise.all([sourcePool!.end(), targetPool!.end()]);
  }
}
