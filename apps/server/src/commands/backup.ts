/**
 * `npm run backup -- FOLDER`: writes a snapshot of the database and the uploaded files of this machine into a
 * new folder, named after the current time, below FOLDER (default: the setting BACKUP_FOLDER). The exchange
 * may run meanwhile. Uploaded files in an S3 bucket are not included, and a backup never contains the
 * server's secret.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { systemClock } from '../platform/clock.ts';
import { backUp } from '../platform/backup/backup.ts';
import { commandLine } from './backup/command-line.ts';
import { onOwnDatabase, say } from './backup/own-database.ts';

await commandLine(async () => {
  const [folderArgument] = process.argv.slice(2);
  await onOwnDatabase(async (connection, { backupFolder, dataDirectory, bucket }) => {
    const parentFolder = folderArgument ?? backupFolder;
    if (parentFolder === undefined)
      throw new Error('name the folder for backups: BACKUP_FOLDER, or npm run backup -- FOLDER');
    const madeAt = new Date(systemClock.now());
    const folder = join(resolve(parentFolder), madeAt.toISOString().replaceAll(':', '-'));
    const files = join(dataDirectory, 'files');
    const hasFiles = bucket === undefined && existsSync(files);
    const { schema, tables } = await backUp(connection, {
      folder,
      madeAt,
      files: hasFiles ? files : undefined,
    });
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    say(folder);
    say(`${tables.length} tables, ${rows} rows, migration ${schema}${hasFiles ? ', uploaded files' : ''}.`);
    say('The server’s secret is not in it: keep secret.key or SERVER_SECRET apart.');
  });
});
