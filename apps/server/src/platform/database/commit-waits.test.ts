import { expect, it } from 'vitest';
import { FakeClock } from '../../../testing/fake-clock.ts';
import { keptLog } from '../../../testing/silent-log.ts';
import { CommitWaits, standbyNames } from './commit-waits.ts';

it.each([
  ['', []],
  ['s1', ['s1']],
  ['s1, "s ""2"""', ['s1', 's "2"']],
  ['FIRST 2 (s1, s2, s3)', ['s1', 's2', 's3']],
  ['any 1 (s1,s2)', ['s1', 's2']],
  ['2 (s1, s2)', ['s1', 's2']],
  ['*', ['*']],
])('SEQ-644 the standbys of "%s" are known by their names', (setting, names) => {
  expect(standbyNames(setting)).toEqual(names);
});

it('SEQ-644 a standby that left is dated by when it was last missed, one that came back is connected, and what cannot be seen is not guessed', async () => {
  const clock = new FakeClock();
  let connected: (string | null)[] = [];
  const query = () => Promise.resolve({ rows: [{ names: 's1', waits: true, connected }] });
  const waits = new CommitWaits({ pool: { query } as never, clock, log: keptLog(), writer: 'w' });
  const standing = async () => (await waits.look()).standbys.get('s1');
  expect(await standing()).toBe('gone since before 2026-01-05 12:00 UTC');
  connected = ['S1'];
  expect(await standing()).toBe('connected');
  expect(waits.latest.reason).toBe('commits wait for standby s1, connected');
  connected = [];
  clock.advance(120_000);
  expect(await standing()).toBe('gone since 2026-01-05 12:02 UTC');
  clock.advance(120_000);
  expect(await standing()).toBe('gone since 2026-01-05 12:02 UTC');
  connected = [null];
  expect(await standing()).toBe('not known: the role of the server may not see replication');
});
