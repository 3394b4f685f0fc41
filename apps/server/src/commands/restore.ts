/**
 * `npm run restore -- FOLDER`: restores a backup into the configured database, which must be empty, restores the
 * uploaded files, and runs an audit. A server that uses the restored database needs the secret of the server that made
 * the backup.
 */
import { cp } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { FILES_FOLDER, restoreBackup } from '../platform/backup/backup.ts';
import { auditOf } from './backup/audit-of.ts';
import { commandLine } from './backup/command-line.ts';
import { migrations, onOwnDatabase, quiet, say } from './backup/own-database.ts';

await commandLine(async () => {
  const [folderArgument] = process.argv.slice(2);
  if (folderArgument === undefined) throw new Error('name the backup’s folder: npm run restore -- FOLDER');
  const folder = resolve(folderArgument);
  await onOwnDatabase(async (connection, { dataDirectory }) => {
    const { madeAt, tables } = await restoreBackup({ connection, folder, migrations, log: quiet });
    const files = join(folder, FILES_FOLDER);
    if (existsSync(files)) await cp(files, join(dataDirectory, 'files'), { recursive: true });
    say(`${tables.length} tables as they were at ${madeAt}.`);
    const { entries, problems } = await auditOf(connection);
    for (const { invariant, asset, detail } of problems) say(`${invariant} ${asset ?? 'all'}: ${detail}`);
    say(problems.length === 0 ? `${entries} entries, everything adds up.` : `${problems.length} problems.`);
    if (problems.length > 0) process.exitCode = 1;
  });
});
