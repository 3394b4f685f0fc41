import { expect, it } from 'vitest';
import { FakeClock } from '../../../testing/fake-clock.ts';
import { recordingLog } from '../../../testing/recording-log.ts';
import { CommitWaits, standbyNames } from './commit-waits.ts';

it.each([
  ['', []],
  ['s1', ['s1']],
  ['s1, "s ""2"""', ['s1', 's "2"']],
  ['FIRST 2 (s1, s2, s3)', ['s1', 's2', 's3']],
  ['any 1 (s1,s2)', ['s1', 's2']],
  ['2 (s1, s2)', ['s1', 's2']],
  ['*', ['*']],
])('SEQ-644 standby names are parsed from "%s"', (setting, names) => {
  expect(standbyNames(setting)).toEqual(names);
});

it('SEQ-644 a missing standby is dated from its last absence, a returned one is connected, and an invisible one is unknown', async () => {
  const clock = new FakeClock();
  let connected: (string | null)[] = [];
  const query = () => Promise.resolve({ rows: [{ names: 's1', waits: true, connected }] });
  const waits = new CommitWaits({ pool: { query } as never, clock, log: recordingLog(), writer: 'w' });
  const stateOfStandby = async () => (await waits.poll()).standbys.get('s1');
  expect(await stateOfStandby()).toBe('gone since before 2026-01-05 12:00 UTC');
  connected = ['S1'];
  expect(await stateOfStandby()).toBe('connected');
  expect(waits.latest.reason).toBe('commits wait for standby s1, connected');
  connected = [];
  clock.advance(120_000);
  expect(await stateOfStandby()).toBe('gone since 2026-01-05 12:02 UTC');
  clock.advance(120_000);
  expect(await stateOfStandby()).toBe('gone since 2026-01-05 12:02 UTC');
  connected = [null];
  expect(await stateOfStandby()).toBe('not known: the role of the server may not see replication');
});
