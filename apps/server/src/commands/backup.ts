/**
 * `npm run backup -- FOLDER`: writes the database as it is at one moment, and the uploaded files of this machine, into a
 * new folder below FOLDER, or below BACKUP_FOLDER, named by the time. The exchange goes on meanwhile. The server's secret
 * is never in it.
 */
import { cp } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { systemClock } from '../platform/clock.ts';
import { backUp } from '../platform/backup/backup.ts';
import { commandLine } from './backup/command-line.ts';
import { onOwnDatabase, say } from './backup/own-database.ts';

await commandLine(async () => {
  const [given] = process.argv.slice(2);
  await onOwnDatabase(async (connection, { backupFolder, dataDirectory, bucket }) => {
    const below = given ?? backupFolder;
    if (below === undefined)
      throw new Error('name the folder for backups: BACKUP_FOLDER, or npm run backup -- FOLDER');
    const at = new Date(systemClock.now());
    const folder = join(resolve(below), at.toISOString().replaceAll(':', '-'));
    const { schema, tables } = await backUp(connection, folder, at);
    const files = join(dataDirectory, 'files');
    const hasFiles = bucket === undefined && existsSync(files);
    // A picture that comes later than its row's moment does no harm; one that is gone was deleted on purpose.
    if (hasFiles) await cp(files, join(folder, 'files'), { recursive: true });
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    say(folder);
    say(`${tables.length} tables, ${rows} rows, migration ${schema}${hasFiles ? ', uploaded files' : ''}.`);
    say('The server’s secret is not in it: keep secret.key or SERVER_SECRET apart.');
  });
});
