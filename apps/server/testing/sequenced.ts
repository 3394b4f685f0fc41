import { databaseOver, type Database } from '../src/platform/database/database.ts';
import { Events } from '../src/platform/events.ts';
import type { FollowingOptions } from '../src/platform/sequencer/following.ts';
import { Sequencer } from '../src/platform/sequencer/sequencer.ts';
import { testDatabase, type TestDatabase } from './database.ts';
import { FakeClock } from './fake-clock.ts';
import { recordingLog, type RecordingLog } from './recording-log.ts';

/** A sequencer over a test database, with the objects that it uses, for tests of modules that run steps. */
export interface SequencerFixture {
  readonly testDatabase: TestDatabase;
  readonly database: Database;
  readonly sequencer: Sequencer;
  readonly events: Events;
  readonly clock: FakeClock;
  readonly log: RecordingLog;
  end(): Promise<void>;
}

/**
 * Creates a sequencer that the test starts later, so that the test can first add participants, which are states in
 * memory that the sequencer loads and reloads. It uses the database `on`, or a new one by default. If `isSchemaCurrent`
 * is false, the sequencer behaves as if the database had the schema of another server version.
 */
export async function sequencerFixture(
  on?: TestDatabase,
  clock = new FakeClock(),
  isSchemaCurrent = true,
): Promise<SequencerFixture> {
  const sequencerDatabase = on ?? (await testDatabase());
  const database = databaseOver(sequencerDatabase.pool);
  const log = recordingLog();
  const events = new Events(log);
  const secret = new Uint32Array([11, 22, 33, 44]);
  const onFenced = (): void => log.error('test.fenced');
  const { connection } = sequencerDatabase;
  const { reader } = database;
  const following: FollowingOptions = {
    copying: (work) => database.copying(work),
    isSchemaCurrent: () => Promise.resolve(isSchemaCurrent),
  };
  const sequencer = new Sequencer({
    connection,
    reader,
    following,
    secret,
    clock,
    events,
    log,
    onFenced,
  });
  return {
    testDatabase: sequencerDatabase,
    database,
    sequencer,
    events,
    clock,
    log,
    end: async () => {
      await sequencer.stop();
      if (on === undefined) await sequencerDatabase.drop();
    },
  };
}
