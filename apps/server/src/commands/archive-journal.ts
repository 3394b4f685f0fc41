/**
 * `npm run archive-journal`: moves the beginning of the step journal, up to a signed checkpoint, from the database into
 * files. The exchange may run meanwhile. If it is interrupted, the next call continues. Options:
 * - `--to=FOLDER` names the folder of the archive (default: `journal-archive` in the data folder);
 * - `--days=N` archives up to the newest checkpoint that is at least N days old (default 30);
 * - `--until=STEP` or `--until=YYYY-MM-DD` archives up to the newest checkpoint at or before the step, or before the
 *   day in UTC, instead;
 * - `--keep` writes and verifies the files and deletes nothing.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DAY_MS } from '@exchange/core/time.ts';
import { VERSION } from '../config.ts';
import {
  archiveJournal,
  type ArchiveOptions,
  type ArchiveProgress,
} from '../platform/checkpoint/archive-journal.ts';
import { checkpointsIn } from '../platform/checkpoint/checkpoints.ts';
import { journalArchiveIn } from '../platform/checkpoint/journal-archive.ts';
import { systemClock } from '../platform/clock.ts';
import { databaseOver } from '../platform/database/database.ts';
import {
  clientOptions,
  openDatabase,
  withClient,
  type DatabaseConnection,
} from '../platform/database/pool.ts';
import { errorMessage } from '../platform/error-message.ts';
import { publishedKeys } from '../platform/secrets/published-keys.ts';
import { openServerSecret } from '../platform/secrets/server-secret.ts';
import { signingKeyOf, trustedKeys, type PublishedKey } from '../platform/secrets/signing-key.ts';
import { commandLine } from './backup/command-line.ts';
import { onOwnDatabase, quiet, say } from './backup/own-database.ts';

const DAYS_DEFAULT = '30';

await commandLine(async () => {
  const values = optionsOf(process.argv.slice(2));
  const until = untilOf(values);
  await onOwnDatabase(async (connection, { dataDirectory, serverSecret }) => {
    const secret = await openServerSecret({ configuredSecret: serverSecret, dataDirectory, mustExist: true });
    const signingKey = signingKeyOf(secret);
    const publicKeys = trustedKeys(signingKey, await publishedKeysOf(connection));
    const folder = resolve(values.to ?? journalArchiveIn(dataDirectory));
    const { checkpoint, files, deletedRows } = await withClient(
      clientOptions(connection, 'exchange archive'),
      async (client) => {
        await client.query('set statement_timeout = 0');
        return archiveJournal({
          client,
          folder,
          signingKey,
          publicKeys,
          until,
          checkpoints: checkpointsIn(dataDirectory),
          keepsRows: values.keep,
          version: VERSION,
          onProgress: report,
        });
      },
    );
    if (checkpoint === undefined)
      say('There is nothing to archive: no checkpoint is old enough, or its steps are archived.');
    else
      say(
        `The steps to ${checkpoint} are archived in ${folder}: ${files} new files, ${deletedRows} rows deleted from the database.`,
      );
  });
});

function optionsOf(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        to: { type: 'string' },
        days: { type: 'string' },
        until: { type: 'string' },
        keep: { type: 'boolean', default: false },
      },
    }).values;
  } catch (cause) {
    throw new Error(
      `archive-journal takes --to=FOLDER, --days=N, --until=STEP or DAY, and --keep: ${errorMessage(cause)}`,
      { cause },
    );
  }
}

function untilOf({
  days,
  until,
}: {
  readonly days?: string | undefined;
  readonly until?: string | undefined;
}): ArchiveOptions['until'] {
  if (days !== undefined && until !== undefined) throw new Error('name --days or --until, not both');
  if (until === undefined) {
    const count = days ?? DAYS_DEFAULT;
    if (!/^\d{1,5}$/.test(count)) throw new Error(`--days takes a number of days, not "${count}"`);
    return { at: systemClock.now() - Number(count) * DAY_MS };
  }
  if (/^\d{1,15}$/.test(until)) return { step: Number(until) };
  const day = /^\d{4}-\d{2}-\d{2}$/.test(until) ? Date.parse(`${until}T00:00:00Z`) : Number.NaN;
  // JavaScript parses a day that the month does not have, e.g. 31 February, as a day of the next month. Such a day is
  // refused here.
  if (Number.isNaN(day) || !new Date(day).toISOString().startsWith(until))
    throw new Error(`--until takes a step or a day such as 2026-01-31, not "${until}"`);
  return { at: day - 1 };
}

async function publishedKeysOf(connection: DatabaseConnection): Promise<PublishedKey[]> {
  const pool = openDatabase({ connection, log: quiet, name: 'archive' });
  try {
    return await publishedKeys(databaseOver(pool).reader);
  } finally {
    await pool.end();
  }
}

function report(progress: ArchiveProgress): void {
  if (progress.did === 'wroteManifest') say(`Wrote ${progress.file}.`);
  if (progress.did === 'compared') say(`Compared ${progress.file} with the database: equal.`);
  if (progress.did === 'deleted') say(`Deleted ${progress.rows} rows, up to step ${progress.last}.`);
}
