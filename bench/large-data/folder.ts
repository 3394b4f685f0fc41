/**
 * Creates a data folder (as in `DATA_DIR`) with a large exchange. The arguments are the root of the checkout, the
 * folder and the scale. Prints the numbers of created rows as JSON.
 */
import { join } from 'node:path';
import { bringUpToDate } from '../../apps/server/src/platform/bring-up-to-date.ts';
import { embeddedRuntimeUser } from '../../apps/server/src/platform/database/embedded/settings.ts';
import { startEmbeddedPostgres } from '../../apps/server/src/platform/database/embedded/supervisor.ts';
import { withBulkPostgres } from '../measuring/postgres.ts';
import { fillLargeData } from './fill.ts';

const [root = '', folder = '', scale = '1'] = process.argv.slice(2);
const log = () => undefined;
const postgres = await startEmbeddedPostgres({ dataDirectory: join(folder, 'database'), log });
try {
  await bringUpToDate({
    owner: postgres.connection,
    runtimeRole: embeddedRuntimeUser,
    directory: join(root, 'apps/server/migrations'),
    log,
  });
} finally {
  await postgres.stop();
}
const filled = await withBulkPostgres(join(folder, 'database'), (connection) =>
  fillLargeData(connection, { scale: Number(scale), now: Date.now() }),
);
process.stdout.write(`${JSON.stringify(filled)}\n`);
