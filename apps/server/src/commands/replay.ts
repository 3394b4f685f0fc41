/**
 * `npm run replay`: repeats all steps of the journal on another database and compares the resulting state, such as
 * books, trades and balances. It can run beside a running server. By default it uses a temporary database on the same
 * PostgreSQL server. Options:
 * - `--into=URL` uses this database, which is empty or contains an earlier copy of the exchange's database;
 * - `--until=STEP` stops after this step;
 * - `--order=ID` prints the history of an order step by step;
 * - `--from-checkpoint` starts from the newest signed checkpoint in the data folder, `--from-checkpoint=STEP` from that
 *   of this step;
 * - `--archive=FOLDER` reads the steps that `archive-journal` has moved out of the database. Without it, a replay from
 *   the beginning starts from the newest checkpoint if the beginning is archived, or fails if `--until` is given.
 */
import { isUuid } from '@exchange/core/ids.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { readOwnConfig, type Config } from '../config.ts';
import { archiveFiles, archivedTo } from '../platform/checkpoint/journal-archive.ts';
import { databaseOver, type Reader } from '../platform/database/database.ts';
import { isEmbeddedRunning, startEmbeddedPostgres } from '../platform/database/embedded/supervisor.ts';
import { migrate } from '../platform/database/migrate.ts';
import { openDatabase, type DatabaseConnection } from '../platform/database/pool.ts';
import { inSnapshot } from '../platform/database/snapshot.ts';
import type { Log } from '../platform/log.ts';
import { rootDirectory } from '../platform/root-directory.ts';
import { checkpointsIn } from '../platform/checkpoint/checkpoints.ts';
import { openServerSecret } from '../platform/secrets/server-secret.ts';
import { publishedKeys } from '../platform/secrets/published-keys.ts';
import { signingKeyOf, trustedKeys, type SigningKey } from '../platform/secrets/signing-key.ts';
import { stepIdSecret } from '../platform/sequencer/step-ids.ts';
import { commandLine } from './backup/command-line.ts';
import { replayFromCheckpoint, type ReplayedFromCheckpoint } from './replay/from-checkpoint.ts';
import { orderStory } from './replay/order-story.ts';
import { replaySteps, type Replayed } from './replay/replay-steps.ts';
import { onScratchDatabase } from './replay/scratch-database.ts';
import { stateHashes, type StateHash } from './replay/state-hashes.ts';

const migrations = join(rootDirectory, 'apps/server/migrations');
const quiet = (): void => undefined;
const log: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const HOUR_MS = 3_600_000;

const NEWEST = 'newest';
const { values } = parseArgs({
  args: process.argv.slice(2).map((part) => (part === '--from-checkpoint' ? `${part}=${NEWEST}` : part)),
  options: {
    into: { type: 'string' },
    until: { type: 'string' },
    order: { type: 'string' },
    'from-checkpoint': { type: 'string' },
    archive: { type: 'string' },
  },
});
const { order: wantedOrder, until: wantedUntil, archive: archiveFolder } = values;
let wantedCheckpoint = values['from-checkpoint'];
await commandLine(async () => {
  if (wantedUntil !== undefined && !/^\d{1,15}$/.test(wantedUntil))
    throw new Error(`--until takes the number of a step, not "${wantedUntil}"`);
  if (wantedOrder !== undefined && !isUuid(wantedOrder))
    throw new Error(`--order takes the id of an order, not "${wantedOrder}"`);
  if (wantedCheckpoint !== undefined && !/^(newest|\d{1,15})$/.test(wantedCheckpoint))
    throw new Error(`--from-checkpoint takes the step of a checkpoint, not "${wantedCheckpoint}"`);
  if (archiveFolder !== undefined && !existsSync(archiveFolder))
    throw new Error(
      `--archive takes the folder of an archived journal, and there is none at "${archiveFolder}"`,
    );
  const config = readOwnConfig(rootDirectory);
  if (!config.ok) throw new Error(config.refusal.join('\n'));
  process.exitCode = await run(config.value);
});

/**
 * What a replay needs of the exchange in addition to the databases: the key from which the ids created in
 * steps are derived, the signing key, and the folder with the checkpoints.
 */
interface ExchangeParts {
  readonly secret: Uint32Array;
  readonly signingKey: SigningKey;
  readonly checkpoints: string;
}

async function run({ databaseUrl, databaseOwnerUrl, dataDirectory, serverSecret }: Config) {
  const secret = await openServerSecret({ configuredSecret: serverSecret, dataDirectory, mustExist: true });
  const exchange: ExchangeParts = {
    secret: stepIdSecret(secret),
    signingKey: signingKeyOf(secret),
    checkpoints: checkpointsIn(dataDirectory),
  };
  const embeddedOptions = { dataDirectory: join(dataDirectory, 'database'), log: quiet };
  const wasRunning = databaseUrl === undefined && isEmbeddedRunning(embeddedOptions);
  const embedded = databaseUrl === undefined ? await startEmbeddedPostgres(embeddedOptions) : undefined;
  const connection = embedded?.connection ?? { connectionString: databaseOwnerUrl ?? databaseUrl ?? '' };
  try {
    const targetUrl = values.into;
    if (targetUrl !== undefined)
      return await replayInto(connection, { connectionString: targetUrl }, exchange);
    return await onScratchDatabase(connection, 'replay', (scratch) =>
      replayInto(connection, scratch, exchange),
    );
  } finally {
    if (!wasRunning) await embedded?.stop();
  }
}

/**
 * Replays the journal of the source database into the target database, compares the results, prints the report, and
 * returns the exit code. With `--until`, a replay from a checkpoint is compared only at later checkpoints, and any
 * other replay is not compared.
 */
async function replayInto(
  sourceConnection: DatabaseConnection,
  targetConnection: DatabaseConnection,
  exchange: ExchangeParts,
): Promise<number> {
  await migrate({ connection: targetConnection, directory: migrations, log: quiet });
  const open = (connection: DatabaseConnection) =>
    openDatabase({ connection, log: quiet, name: 'replay', statementTimeoutMs: HOUR_MS });
  const [sourcePool, targetPool] = [open(sourceConnection), open(targetConnection)];
  const [source, target] = [databaseOver(sourcePool), databaseOver(targetPool)];
  const story = wantedOrder === undefined ? undefined : orderStory(wantedOrder);
  const until = wantedUntil === undefined ? undefined : Number(wantedUntil);
  try {
    // The journal and the compared state must be read in one snapshot, because the exchange may be trading meanwhile.
    return await inSnapshot(source.reader, async (snapshot) => {
      // If the first steps are archived, no archive is given and the target is empty, the replay starts from
      // the newest checkpoint. With `--until`, that checkpoint may be later than the last step to be
      // replayed, so none is chosen; the replay then fails with an error that names the archived steps.
      if (archiveFolder === undefined && wantedCheckpoint === undefined && until === undefined) {
        const deletedTo = await archivedTo(snapshot);
        if (deletedTo > 0 && (await isEmpty(target.reader))) {
          print(
            `The steps to ${deletedTo} are archived, so the replay starts from the newest checkpoint; --archive=FOLDER replays from the beginning.`,
          );
          wantedCheckpoint = NEWEST;
        }
      }
      const publicKeys = trustedKeys(exchange.signingKey, await publishedKeys(snapshot));
      const archive = archiveFolder === undefined ? undefined : await archiveFiles(archiveFolder, publicKeys);
      const options = {
        source: snapshot,
        archive,
        target: { connection: targetConnection, database: target },
        secret: exchange.secret,
        log,
        until,
        onStep: story?.listen,
      };
      if (wantedCheckpoint !== undefined) {
        const step = wantedCheckpoint === NEWEST ? undefined : Number(wantedCheckpoint);
        const replayed = await replayFromCheckpoint({ ...options, ...exchange, step: step });
        printSteps(replayed, story);
        return reportCheckpoints(replayed);
      }
      const replayed = await replaySteps(options);
      printSteps(replayed, story);
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

/** True if the journal of a database contains no step yet. */
async function isEmpty(reader: Reader): Promise<boolean> {
  const { rows } = await sql<{ sequence: bigint }>`select sequence from writer`.execute(reader);
  return Number(rows[0]?.sequence ?? 0) === 0;
}

function printSteps(replayed: Replayed, story: ReturnType<typeof orderStory> | undefined): void {
  for (const line of story?.lines ?? []) print(line);
  if (story?.lines.length === 0) print(`No step that was replayed is about order ${wantedOrder}.`);
  print(`${replayed.steps} steps replayed, from ${startText(replayed)} to step ${replayed.last}`);
}

/**
 * Prints which later checkpoints the replay was compared with, and all differences. Returns the exit code: 0
 * without differences, otherwise 1.
 */
function reportCheckpoints({ compared, problems }: ReplayedFromCheckpoint): number {
  for (const step of compared) print(`compared with checkpoint ${step}`);
  for (const problem of problems) print(`DIFFERENT: ${problem}`);
  print(problems.length === 0 ? 'The replay gives the same state.' : `${problems.length} differences.`);
  return problems.length === 0 ? 0 : 1;
}

function startText({ from: first }: Replayed): string {
  if (first === 0) return 'zero';
  return wantedCheckpoint === undefined ? `a base copy at step ${first}` : `checkpoint ${first}`;
}

function compare(source: readonly StateHash[], target: readonly StateHash[]): number {
  let differences = 0;
  for (const [index, { name, rows, hash }] of source.entries()) {
    const replayedPart = target[index];
    const isSame = replayedPart?.hash === hash;
    if (!isSame) differences += 1;
    const verdict = isSame
      ? 'same'
      : `DIFFERENT: ${replayedPart?.rows} rows, ${replayedPart?.hash.slice(0, 16)} after the replay`;
    print(`${name.padEnd(12)} ${String(rows).padStart(9)} rows  ${hash.slice(0, 16)}  ${verdict}`);
  }
  print(differences === 0 ? 'The replay gives the same state.' : `${differences} parts differ.`);
  return differences === 0 ? 0 : 1;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
