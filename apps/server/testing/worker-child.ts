// A program for tests that runs a worker without jobs. When it leads, it inserts rows over a pool of its own until it
// is replaced, each in a transaction that stays open for some milliseconds. It prints `leads` when it leads, the number
// of each committed row, `refused` for each row that is not stored, and `fenced` before it exits because another worker
// has replaced it. Its argument is the database connection as JSON.
import { setTimeout as sleep } from 'node:timers/promises';
import { WorkerLease } from '../src/platform/cluster/worker-lease.ts';
import { openDatabase, type DatabaseConnection } from '../src/platform/database/pool.ts';

const [connectionText] = process.argv.slice(2);
if (connectionText === undefined) throw new Error('usage: worker-child.ts CONNECTION');

/** Milliseconds for which each transaction stays open, so that a suspension usually meets an open one. */
const OPEN_MS = 20;
const connection = JSON.parse(connectionText) as DatabaseConnection;
const say = (line: string) => process.stdout.write(`${line}\n`);
const ignore = () => undefined;
let isReplaced = false;
const lease = new WorkerLease({
  connection,
  log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  onReplaced: () => {
    isReplaced = true;
    say('fenced');
    // The lease now belongs to another process. This process exits one second later, so that its further
    // attempts to write show that the database admits no session of it any more.
    setTimeout(() => process.exit(0), 1_000);
  },
});
await lease.acquire();
const pool = openDatabase({ connection: { ...connection, fence: lease.fence }, log: ignore, size: 2 });
say('leads');
for (let number = 1; ; number += 1) {
  try {
    const client = await pool.connect();
    let failure: Error | undefined;
    try {
      await client.query('begin');
      await client.query('insert into worked (epoch, number) values ($1, $2)', [String(lease.epoch), number]);
      await sleep(OPEN_MS);
      await client.query('commit');
      say(String(number));
    } catch (cause) {
      failure = cause as Error;
      throw cause;
    } finally {
      client.release(failure);
    }
  } catch {
    say('refused');
    if (isReplaced) await sleep(50);
  }
}
