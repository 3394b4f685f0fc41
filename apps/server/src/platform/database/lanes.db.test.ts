import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type pg from 'pg';
import { testDatabase, type TestDatabase } from '../../../testing/database.ts';
import { eventually } from '../../../testing/eventually.ts';
import { databaseOver, type Database } from './database.ts';
import { asOwnWork, inLane } from './lanes.ts';
import { openDatabase } from './pool.ts';

const SIZE = 2;

describe('the lanes of the database', () => {
  let testDb: TestDatabase;
  let database: Database;
  const pools: pg.Pool[] = [];
  const open = (name: string) => {
    const pool = openDatabase({ connection: testDb.connection, log: () => undefined, name, size: SIZE });
    pools.push(pool);
    return pool;
  };
  beforeAll(async () => {
    testDb = await testDatabase();
    const [own, ownReader] = [open('own'), open('own reader')];
    const lanes = {
      requests: { pool: open('requests'), reader: open('requests reader') },
      operators: { pool: open('operators'), reader: open('operators reader') },
    };
    database = databaseOver(own, { reader: ownReader, lanes });
  });
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end()));
    await testDb.drop();
  });

  const poolNameOf = async (kind: 'reader' | 'store' | 'own') => {
    const query = sql<{ name: string }>`select current_setting('application_name') as name`;
    const { rows } = await query.execute(database[kind]);
    return rows[0]?.name;
  };

  it('EDGE-754 the lane of a query follows its origin: requests, operators, or the exchange itself', async () => {
    expect(await poolNameOf('reader')).toBe('own reader');
    expect(await inLane('requests', () => poolNameOf('reader'))).toBe('requests reader');
    expect(await inLane('requests', () => poolNameOf('store'))).toBe('requests');
    expect(await inLane('operators', () => poolNameOf('store'))).toBe('operators');
    const nestedQuery = async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return asOwnWork(() => poolNameOf('store'));
    };
    expect(await inLane('requests', nestedQuery)).toBe('own');
    expect(await inLane('requests', () => poolNameOf('own'))).toBe('own reader');
  });

  it('EDGE-754 requests that use all their connections do not delay the exchange and operators', async () => {
    const isDone: boolean[] = [];
    const release: (() => void)[] = [];
    const holding = Array.from({ length: SIZE * 3 }, (_, n) =>
      inLane('requests', () =>
        database.transaction(async (tx) => {
          await sql`select 1`.execute(tx);
          await new Promise<void>((resolve) => release.push(resolve));
          isDone[n] = true;
        }),
      ),
    );
    await eventually(() => expect(release).toHaveLength(SIZE));
    expect(await poolNameOf('store')).toBe('own');
    expect(await inLane('operators', () => poolNameOf('store'))).toBe('operators');
    expect(isDone).toEqual([]);
    for (let n = 0; n < SIZE * 3; n += 1) {
      await eventually(() => expect(release.length).toBeGreaterThan(n));
      release[n]!();
    }
    await Promise.all(holding);
  });
});
