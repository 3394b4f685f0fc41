import { databaseOver, type Database } from '../src/platform/database/database.ts';
import { Events } from '../src/platform/events.ts';
import { Sequencer } from '../src/platform/sequencer/sequencer.ts';
import { testDatabase, type TestDatabase } from './database.ts';
import { FakeClock } from './fake-clock.ts';
import { keptLog, type KeptLog } from './silent-log.ts';

/** A sequencer over a fresh database, for tests of modules that run steps. */
export interface Sequenced {
  readonly testDatabase: TestDatabase;
  readonly database: Database;
  readonly sequencer: Sequencer;
  readonly events: Events;
  readonly clock: FakeClock;
  readonly log: KeptLog;
  end(): Promise<void>;
}

/** Nothing is started yet: participants join first. With `on`, the same database is used again. */
export async function sequenced(on?: TestDatabase, clock = new FakeClock()): Promise<Sequenced> {
  const own = on ?? (await testDatabase());
  const database = databaseOver(own.pool);
  const log = keptLog();
  const events = new Events(log);
  const secret = new Uint32Array([11, 22, 33, 44]);
  const onFenced = (): void => log.error('test.fenced');
  const { connection } = own;
  const { reader } = database;
  const sequencer = new Sequencer({ connection, reader, secret, clock, events, log, onFenced });
  return {
    testDatabase: own,
    database,
    sequencer,
    events,
    clock,
    log,
    end: async () => {
      await sequencer.stop();
      if (on === undefined) await own.drop();
    },
  };
}
