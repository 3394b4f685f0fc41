import { refusal, Refused } from '@exchange/core/refusal.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '../../testing/database.ts';
import { eventually } from '../../testing/eventually.ts';
import { recordingLog } from '../../testing/recording-log.ts';
import { systemClock } from './clock.ts';
import { databaseOver } from './database/database.ts';
import { DemoData, type DemoPart } from './demo-data.ts';

const halted = () => Promise.reject(new Refused(refusal('closed', 'l.asset_halted', { unit: 'XRP' })));

describe('creation of demo data', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await testDatabase();
  });
  afterEach(() => database.drop());

  function demoData(partsOf: (data: DemoData) => readonly DemoPart[]) {
    const log = recordingLog();
    const data: DemoData = new DemoData({
      clock: systemClock,
      log,
      database: databaseOver(database.pool),
      parts: () => partsOf(data),
    });
    return { data, log };
  }

  it('EDGE-622 a refused or failed part is logged and shown by health, and all other parts are created', async () => {
    const made: string[] = [];
    const { data, log } = demoData(({ attempt, once }) => [
      { name: 'first', make: halted },
      {
        name: 'second',
        make: async () => {
          await attempt('second a', () => Promise.reject(new Error('a bug')));
          await once('second b', async () => made.push('b'));
        },
      },
      { name: 'third', make: async () => made.push('third') },
    ]);
    expect(data.health()).toMatchObject({ isUp: true });
    data.start();
    expect(await data.whenMade()).toEqual(['first', 'second a']);
    expect(made).toEqual(['b', 'third']);
    const failures = log.lines.filter(({ event }) => event === 'demo.part_not_made');
    expect(failures.map(({ fields }) => fields['part'])).toEqual(['first', 'second a']);
    expect(data.health()).toMatchObject({
      isUp: false,
      reason: 'could not be made, and are tried at the next start: first, second a',
    });
  });

  it('EDGE-622 a part that is created once is created by the first successful start and never again', async () => {
    const made: string[] = [];
    let isHalted = true;
    const startOnce = async () => {
      const { data } = demoData(({ once }) => [
        {
          name: 'product',
          make: async () => {
            await once('one', async () => made.push('one'));
            await once('two', () => (isHalted ? halted() : Promise.resolve(made.push('two'))));
          },
        },
      ]);
      data.start();
      return data.whenMade();
    };
    expect(await startOnce()).toEqual(['two']);
    isHalted = false;
    expect(await startOnce()).toEqual([]);
    expect(await startOnce()).toEqual([]);
    expect(made).toEqual(['one', 'two']);
  });

  it('EDGE-623 EDGE-624 a missing index price, a busy server and a full pool are retried', async () => {
    const causes = [
      new Refused(refusal('closed', 'l.no_index')),
      new Error('timeout exceeded when trying to connect'),
    ];
    const { data, log } = demoData(() => [
      {
        name: 'patient',
        make: () => {
          const cause = causes.shift();
          return cause === undefined ? Promise.resolve() : Promise.reject(cause);
        },
      },
    ]);
    data.start();
    expect(await data.whenMade()).toEqual([]);
    expect(log.lines.filter(({ event }) => event === 'demo.part_waits')).toHaveLength(2);
  });

  it('EDGE-623 stopping does not wait for retries', async () => {
    const { data, log } = demoData(() => [
      { name: 'never', make: () => Promise.reject(new Refused(refusal('closed', 'l.no_index'))) },
      { name: 'not begun', make: () => Promise.reject(new Error('begun')) },
    ]);
    data.start();
    await eventually(() => expect(log.lines.some(({ event }) => event === 'demo.part_waits')).toBe(true));
    await data.stop();
    expect(log.lines.some(({ event }) => event === 'demo.part_not_made')).toBe(false);
  });
});
