import { afterAll, beforeAll, expect, it } from 'vitest';
import { testDatabase, withRuntimeRole, type TestDatabase } from '../../../testing/database.ts';
import { createKysely, openDatabase } from '../../platform/database/pool.ts';
import { countMinute, daysSince, firstCountedDay, removeOld } from './repository.ts';

let database: TestDatabase;
let pool: ReturnType<typeof openDatabase>;

beforeAll(async () => {
  database = await testDatabase();
  pool = openDatabase({ connection: withRuntimeRole(database.connection), log: () => undefined, size: 1 });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

it('PAPI-085 the first counted day is known after its neighbours were deleted, so that later days without a minute are outages', async () => {
  const store = createKysely(pool);
  expect(await firstCountedDay(store)).toBeUndefined();
  for (const day of [100, 101, 250]) await countMinute(store, day, day * 1_440 + 5);
  await removeOld(store, 0, 200);
  expect(await firstCountedDay(store)).toBe(100);
  expect((await daysSince(store, 0)).map(({ day }) => day)).toEqual([100, 250]);
});
