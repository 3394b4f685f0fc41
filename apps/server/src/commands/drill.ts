/**
 * `npm run drill -- FOLDER [--from-checkpoint]`: rehearses the recovery from a total loss. It makes a backup below
 * FOLDER (default: the setting BACKUP_FOLDER), restores it into a temporary database beside the running exchange,
 * audits that database, replays its journal, and reports whether all results agree. The backup is not removed. The
 * replay starts from an empty state, or with `--from-checkpoint` from the newest checkpoint in the data folder.
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkpointsIn } from '../platform/checkpoint/checkpoints.ts';
import { systemClock } from '../platform/clock.ts';
import { openServerSecret } from '../platform/secrets/server-secret.ts';
import { signingKeyOf } from '../platform/secrets/signing-key.ts';
import { stepIdSecret } from '../platform/sequencer/step-ids.ts';
import { drill } from './backup/drill.ts';
import { commandLine } from './backup/command-line.ts';
import { onOwnDatabase, say } from './backup/own-database.ts';

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
    const { rows, entries, steps, problems } = await drill({
      connection,
      folder,
      secret: stepIdSecret(secret),
      madeAt,
      fromCheckpoint: values['from-checkpoint']
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
