/**
 * `npm run replay`: makes books, trades and balances again from the step journal, on another database, and
 * compares. Works beside a running server. `--into=URL` continues on a base copy (an empty database means
 * from zero; without it one is made on the same server and removed), `--until=STEP` stops early,
 * `--order=ID` prints what happened to one order, step by step.
 */
import { isUuid } from '@exchange/core/ids.ts';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readOwnConfig, type Config } from '../config.ts';
import { databaseOver } from '../platform/database/database.ts';
import { isEmbeddedRunning, startEmbeddedPostgres } from '../platform/database/embedded/supervisor.ts';
import { migrate } from '../platform/database/migrate.ts';
import { openDatabase, type DatabaseConnection } from '../platform/database/pool.ts';
import type { Log } from '../platform/log.ts';
import { rootDirectory } from '../platform/root-directory.ts';
import { openServerSecret } from '../platform/secrets/server-secret.ts';
import { stepIdSecret } from '../platform/sequencer/step-ids.ts';
import { commandLine } from './backup/command-line.ts';
import { orderStory } from './replay/order-story.ts';
import { replaySteps, type Replayed } from './replay/replay-steps.ts';
import { onScratchDatabase } from './replay/scratch-database.ts';
import { stateHashes, type StateHash } from './replay/state-hashes.ts';

const migrations = join(rootDirectory, 'apps/server/migrations');
const quiet = (): void => undefined;
const log: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const HOUR_MS = 3_600_000;

const { values } = parseArgs({
  options: { into: { type: 'string' }, until: { type: 'string' }, order: { type: 'string' } },
});
const { order: wantedOrder, until: wantedUntil } = values;
await commandLine(async () => {
  if (wantedUntil !== undefined && !/^\d{1,15}$/.test(wantedUntil))
    throw new Error(`--until takes the number of a step, not "${wantedUntil}"`);
  if (wantedOrder !== undefined && !isUuid(wantedOrder))
    throw new Error(`--order takes the id of an order, not "${wantedOrder}"`);
  const config = readOwnConfig(rootDirectory);
  if (!config.ok) throw new Error(config.refusal.join('\n'));
  process.exitCode = await run(config.value);
});

async function run({ databaseUrl, databaseOwnerUrl, dataDirectory, serverSecret }: Config) {
  const secret = stepIdSecret(
    await openServerSecret({ given: serverSecret, dataDirectory, mustExist: true }),
  );
  const embeddedOptions = { dataDirectory: join(dataDirectory, 'database'), log: quiet };
  const wasRunning = databaseUrl === undefined && isEmbeddedRunning(embeddedOptions);
  const embedded = databaseUrl === undefined ? await startEmbeddedPostgres(embeddedOptions) : undefined;
  const connection = embedded?.connection ?? { connectionString: databaseOwnerUrl ?? databaseUrl ?? '' };
  try {
    const given = values.into;
    if (given !== undefined) return await replayInto(connection, { connectionString: given }, secret);
    return await onScratchDatabase(connection, 'replay', (scratch) =>
      replayInto(connection, scratch, secret),
    );
  } finally {
    if (!wasRunning) await embedded?.stop();
  }
}

/** Replays, compares where all steps were replayed, and prints; gives the exit code. */
async function replayInto(
  sourceConnection: DatabaseConnection,
  targetConnection: DatabaseConnection,
  secret: Uint32Array,
): Promise<number> {
  await migrate({ connection: targetConnection, directory: migrations, log: quiet });
  const open = (connection: DatabaseConnection) =>
    openDatabase({ connection, log: quiet, name: 'replay', statementTimeoutMs: HOUR_MS });
  const [sourcePool, targetPool] = [open(sourceConnection), open(targetConnection)];
  const [source, target] = [databaseOver(sourcePool), databaseOver(targetPool)];
  const story = wantedOrder === undefined ? undefined : orderStory(wantedOrder);
  const until = wantedUntil === undefined ? undefined : Number(wantedUntil);
  try {
    // One snapshot for the journal and what it is compared with: the exchange may be trading meanwhile.
    return await source.reader
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (snapshot) => {
        const parts = { source: snapshot, target: { connection: targetConnection, database: target } };
        const replayed = await replaySteps({ ...parts, secret, log, until, onStep: story?.listen });
        for (const line of story?.lines ?? []) print(line);
        if (story?.lines.length === 0) print(`No step that was replayed is about order ${wantedOrder}.`);
        print(`${replayed.steps} steps replayed, from ${from(replayed)} to step ${replayed.last}`);
        if (until !== undefined) return 0;
        return compare(
          await stateHashes(snapshot, replayed.state),
          await stateHashes(target.reader, replayed.state),
        );
      });
  } finally {
    await Promise.all([sourcePool.end(), targetPool.end()]);
  }
}

function from({ from: first }: Replayed): string {
  return first === 0 ? 'zero' : `a base copy at step ${first}`;
}

function compare(source: readonly StateHash[], target: readonly StateHash[]): number {
  let differences = 0;
  for (const [at, { name, rows, hash }] of source.entries()) {
    const made = target[at];
    const isSame = made?.hash === hash;
    if (!isSame) differences += 1;
    const verdict = isSame
      ? 'same'
      : `DIFFERENT: ${made?.rows} rows, ${made?.hash.slice(0, 16)} after the replay`;
    print(`${name.padEnd(12)} ${String(rows).padStart(9)} rows  ${hash.slice(0, 16)}  ${verdict}`);
  }
  print(differences === 0 ? 'The replay gives the same state.' : `${differences} parts differ.`);
  return differences === 0 ? 0 : 1;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
