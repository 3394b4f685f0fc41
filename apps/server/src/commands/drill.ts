/**
 * `npm run drill -- FOLDER [--from-checkpoint]`: rehearses the recovery from a total loss. It makes a backup below
 * FOLDER (default: the setting BACKUP_FOLDER), restores it into a temporary database beside the running exchange,
 * audits that database, replays its journal, and reports whether all results agree. The backup is not removed. The
 * replay starts from an empty state, or from the newest checkpoint in the data folder: with `--from-checkpoint`, and
 * always if the beginning of the journal is archived.
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkpointsIn } from '../platform/checkpoint/checkpoints.ts';
import { archivedTo } from '../platform/checkpoint/journal-archive.ts';
import { systemClock } from '../platform/clock.ts';
import { databaseOver } from '../platform/database/database.ts';
import { openDatabase, type DatabaseConnection } from '../platform/database/pool.ts';
import { openServerSecret } from '../platform/secrets/server-secret.ts';
import { signingKeyOf } from '../platform/secrets/signing-key.ts';
import { stepIdSecret } from '../platform/sequencer/step-ids.ts';
import { drill } from './backup/drill.ts';
import { commandLine } from './backup/command-line.ts';
import { onOwnDatabase, quiet, say } from './backup/own-database.ts';

await commandLine(async () => {
  const { values, positionals } = parseArgs({
    options: { 'from-checkpoint': { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [folderArgument] = positionals;
  await onOwnDatabase(async (connection, { backupFolder, dataDirectory, serverSecret }) => {
    const parentFolder = folderArgument ?? backupFolder;
    if (parentFolder === undefined)
      throw new Error('name the folder for backups: BACKUP_FOLDER, or npm run drill -- FOLDER');
    const madeAt = new Date(systemClock.now());
    const folder = join(resolve(parentFolder), madeAt.toISOString().replaceAll(':', '-'));
    const secret = await openServerSecret({ configuredSecret: serverSecret, dataDirectory, mustExist: true });
    const deletedTo = await archivedOf(connection);
    if (deletedTo > 0)
      say(`The steps to ${deletedTo} are archived, so the replay starts from the newest checkpoint.`);
    const { rows, entries, steps, problems } = await drill({
      connection,
      folder,
      secret: stepIdSecret(secret),
      madeAt,
      fromCheckpoint:
        values['from-checkpoint'] || deletedTo > 0
          ? { checkpoints: checkpointsIn(dataDirectory), signingKey: signingKeyOf(secret) }
          : undefined,
    });
    say(folder);
    say(`${rows} rows restored, ${entries} entries audited, ${steps} steps replayed.`);
    for (const problem of problems) say(problem);
    say(problems.length === 0 ? 'The backup holds the exchange as it was.' : `${problems.length} problems.`);
    if (problems.length > 0) process.exitCode = 1;
  });
});

/** Returns the step up to which the journal of a database is archived; 0 if nothing is. */
async function archivedOf(connection: DatabaseConnection): Promise<number> {
  const pool = openDatabase({ connection, log: quiet, name: 'drill' });
  try {
    return await archivedTo(databaseOver(pool).reader);
  } finally {
    await pool.end();
  }
}
