import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replayFromCheckpoint } from '../../src/commands/replay/from-checkpoint.ts';
import { replaySteps } from '../../src/commands/replay/replay-steps.ts';
import { stateHashes } from '../../src/commands/replay/state-hashes.ts';
import { archiveJournal } from '../../src/platform/checkpoint/archive-journal.ts';
import { checkpointsIn } from '../../src/platform/checkpoint/checkpoints.ts';
import { archiveFiles } from '../../src/platform/checkpoint/journal-archive.ts';
import { databaseOver, type Reader } from '../../src/platform/database/database.ts';
import { inSnapshot } from '../../src/platform/database/snapshot.ts';
import { openServerSecret, type ServerSecret } from '../../src/platform/secrets/server-secret.ts';
import { signingKeyOf } from '../../src/platform/secrets/signing-key.ts';
import { stepIdSecret } from '../../src/platform/sequencer/step-ids.ts';
import { testDatabase, type TestDatabase } from '../database.ts';
import { anExchange, type TestExchange } from '../exchange.ts';
import { recordingLog } from '../recording-log.ts';
import { tradeEverything } from './everything.ts';
import { isSelectedByCommit } from '../../../../tools/test-form.ts';

/**
 * In the short form of the tests these run for one Git commit in three. Other tests, which use only the database, test
 * the archiving for every commit.
 */
describe.runIf(isSelectedByCommit(1, 3))('a replay of an archived journal', () => {
  let exchange: TestExchange;
  let secret: ServerSecret;
  let folder: string;
  const steps: number[] = [];

  beforeAll(async () => {
    exchange = await anExchange();
    secret = await openServerSecret({ dataDirectory: exchange.dataDirectory });
    folder = join(exchange.dataDirectory, 'journal-archive');
    await tradeEverything(exchange, async () => {
      steps.push((await exchange.doors.checkpoints.make())!);
    });
    const client = await exchange.database.pool.connect();
    try {
      const archived = await archiveJournal({
        client,
        folder,
        signingKey: signingKeyOf(secret),
        publicKeys: publicKeys(),
        checkpoints: checkpointsIn(exchange.dataDirectory),
        until: { step: steps[1]! },
        keepsRows: false,
        version: '1',
        freeBytes: () => Promise.resolve(2 ** 40),
      });
      expect(archived).toMatchObject({ checkpoint: steps[1], files: 1 });
      expect(archived.deletedRows).toBeGreaterThan(3);
    } finally {
      client.release();
    }
  });

  afterAll(() => exchange.close());

  const publicKeys = () => {
    const { id, publicKey } = signingKeyOf(secret);
    return new Map([[id, publicKey]]);
  };

  /** Calls `use` with a snapshot of the exchange and an empty database. */
  async function onSnapshot<T>(use: (source: Reader, target: TestDatabase) => Promise<T>): Promise<T> {
    const target = await testDatabase();
    try {
      return await inSnapshot(exchange.doors.database.reader, (source) => use(source, target));
    } finally {
      await target.drop();
    }
  }

  const partsOf = (source: Reader, target: TestDatabase) => ({
    source,
    target: { connection: target.connection, database: databaseOver(target.pool) },
    secret: stepIdSecret(secret),
    log: recordingLog(),
  });

  it('REPLAY-985 over the archive and the rest of the journal rebuilds the state of the exchange', () =>
    onSnapshot(async (source, target) => {
      const archive = await archiveFiles(folder, publicKeys());
      const replayed = await replaySteps({ ...partsOf(source, target), archive });
      expect(replayed.from).toBe(0);
      expect(replayed.steps).toBeGreaterThan(steps[1]!);
      const rebuilt = await stateHashes(databaseOver(target.pool).reader, replayed.state);
      expect(rebuilt).toEqual(await stateHashes(source, replayed.state));
    }));

  it('REPLAY-985 over the archive stops at a step that is archived', () =>
    onSnapshot(async (source, target) => {
      const archive = await archiveFiles(folder, publicKeys());
      const replayed = await replaySteps({ ...partsOf(source, target), archive, until: steps[0]! });
      expect(replayed).toMatchObject({ from: 0, last: steps[0] });
    }));

  it('REPLAY-986 from a checkpoint at or after the archived steps needs no archive', () =>
    onSnapshot(async (source, target) => {
      const replayed = await replayFromCheckpoint({
        ...partsOf(source, target),
        signingKey: signingKeyOf(secret),
        checkpoints: checkpointsIn(exchange.dataDirectory),
        step: steps[1],
      });
      expect(replayed).toMatchObject({ from: steps[1], compared: [steps[2]], problems: [] });
    }));

  it('REPLAY-986 from an earlier checkpoint names the archived steps, and reads them from the archive', async () => {
    const replay = (archive: Awaited<ReturnType<typeof archiveFiles>> | undefined) =>
      onSnapshot((source, target) =>
        replayFromCheckpoint({
          ...partsOf(source, target),
          signingKey: signingKeyOf(secret),
          checkpoints: checkpointsIn(exchange.dataDirectory),
          step: steps[0],
          archive,
        }),
      );
    await expect(replay(undefined)).rejects.toThrow(
      `the steps ${steps[0]! + 1} to ${steps[1]} are archived: name their folder with --archive=FOLDER`,
    );
    await expect(replay([])).rejects.toThrow(
      `the steps to ${steps[1]} are archived, and the folder of the archive has those to 0`,
    );
    const replayed = await replay(await archiveFiles(folder, publicKeys()));
    expect(replayed).toMatchObject({ from: steps[0], compared: steps.slice(1), problems: [] });
  });

  it('REPLAY-986 the next checkpoint continues after the archived steps', async () => {
    await exchange.aUser({ USDT: '100' });
    const step = await exchange.doors.checkpoints.make();
    expect(step).toBeGreaterThan(steps[2]!);
    await onSnapshot(async (source, target) => {
      const replayed = await replayFromCheckpoint({
        ...partsOf(source, target),
        signingKey: signingKeyOf(secret),
        checkpoints: checkpointsIn(exchange.dataDirectory),
        step: steps[2],
      });
      expect(replayed).toMatchObject({ compared: [step], problems: [] });
    });
  });
});
