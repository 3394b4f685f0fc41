// A program that starts an embedded database, prints a report about this database as JSON, and runs until it is killed.
// On SIGTERM it stops the database and exits. Its argument is the data directory.
import { startEmbeddedPostgres } from '../src/platform/database/embedded/supervisor.ts';

const [dataDirectory] = process.argv.slice(2);
if (dataDirectory === undefined) throw new Error('usage: embedded-child.ts DATA_DIRECTORY');

const postgres = await startEmbeddedPostgres({ dataDirectory, log: () => undefined });
process.stdout.write(
  `${JSON.stringify({ pid: postgres.pid, dataDirectory: postgres.dataDirectory, connection: postgres.connection })}\n`,
);
process.on('SIGTERM', () => void postgres.stop().then(() => process.exit(0)));
setInterval(() => undefined, 60_000);
