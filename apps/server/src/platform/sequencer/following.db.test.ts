import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '../../../testing/database.ts';
import { eventually } from '../../../testing/eventually.ts';
import { recordingLog, type RecordingLog } from '../../../testing/recording-log.ts';
import { systemClock } from '../clock.ts';
import { databaseOver } from '../database/database.ts';
import { StateDiffers, type FollowedState } from './followed-state.ts';
import { StandbyFollower } from './following.ts';

/** A followed state for tests, which counts how often it is loaded, updated and confirmed. */
class Counted implements FollowedState {
  loads = 0;
  updates = 0;
  confirms = 0;
  ends = 0;
  differs = false;

  async load(): Promise<void> {
    this.loads += 1;
  }

  async update(): Promise<void> {
    this.updates += 1;
  }

  async confirm(): Promise<void> {
    this.confirms += 1;
    if (this.differs) throw new StateDiffers('a sum');
  }

  end(): void {
    this.ends += 1;
  }
}

describe('a takeover that a standby expects', () => {
  let own: TestDatabase;
  let log: RecordingLog;
  let state: Counted;
  let follower: StandbyFollower;

  beforeEach(async () => {
    own = await testDatabase();
    await own.pool.query('update writer set epoch = 7, sequence = 40');
    log = recordingLog();
    state = new Counted();
    const database = databaseOver(own.pool);
    follower = new StandbyFollower({
      participants: [{ name: 'counted', load: async () => undefined, following: state }],
      copying: (work) => database.copying(work),
      isSchemaCurrent: async () => true,
      reader: database.reader,
      clock: systemClock,
      log,
    });
  });
  afterEach(async () => {
    follower.abandon('the test ends');
    await own.drop();
  });

  async function expected(): Promise<void> {
    follower.start();
    await eventually(() => expect(follower.progress.isWarm).toBe(true));
    expect(follower.anticipate()).toBe(true);
    await eventually(() => expect(state).toMatchObject({ updates: 1, confirms: 1 }));
  }

  /** Takes over as the writer of the next epoch, as the sequencer does when it holds the writer's lock. */
  async function takenOver(sequence: number): Promise<boolean> {
    follower.end();
    await own.pool.query('update writer set epoch = 8');
    return follower.takeOver({ epoch: 8n, sequence });
  }

  const logged = (name: string) => log.lines.find(({ event }) => event === name)?.fields;

  it('CLU-097 has nothing left to read when nothing was stored since', async () => {
    await expected();
    expect(await takenOver(40)).toBe(true);
    expect(state).toMatchObject({ loads: 1, updates: 1, confirms: 1, ends: 1 });
    expect(logged('sequencer.standby_warm')).toMatchObject({ readAhead: true });
  });

  it('CLU-097 reads again when a step was stored since', async () => {
    await expected();
    await own.pool.query('update writer set sequence = 41');
    expect(await takenOver(41)).toBe(true);
    expect(state).toMatchObject({ loads: 1, updates: 2, confirms: 2 });
    expect(logged('sequencer.standby_warm')).toMatchObject({ readAhead: false });
  });

  it('CLU-097 CLU-092 is cold when another writer was there since, though its last step is the same', async () => {
    await expected();
    follower.end();
    await own.pool.query('update writer set epoch = 9');
    expect(await follower.takeOver({ epoch: 9n, sequence: 40 })).toBe(false);
    expect(logged('sequencer.standby_cold')).toMatchObject({ why: expect.stringContaining('another epoch') });
  });

  it('CLU-097 CLU-092 is cold when its reads lead to another database', async () => {
    await expected();
    follower.end();
    // The process reads from another database than the one that it writes, so the database that it reads does not
    // contain its epoch.
    expect(await follower.takeOver({ epoch: 8n, sequence: 40 })).toBe(false);
    expect(logged('sequencer.standby_cold')).toMatchObject({
      why: expect.stringContaining('does not lead to'),
    });
  });

  it('CLU-090 CLU-097 is an alarm when the state differs, which the takeover reports', async () => {
    state.differs = true;
    await expected();
    expect(logged('sequencer.standby_differs')).toBeUndefined();
    expect(await takenOver(40)).toBe(false);
    expect(logged('sequencer.standby_differs')).toMatchObject({ why: 'counted: a sum' });
  });

  it('CLU-097 that does not come goes on with following', async () => {
    await expected();
    await own.pool.query('update writer set sequence = 41');
    await eventually(() => expect(state.updates).toBe(2));
    expect(state).toMatchObject({ confirms: 1, ends: 0 });
    expect(await takenOver(41)).toBe(true);
    expect(state).toMatchObject({ updates: 3, confirms: 2 });
  });
});
