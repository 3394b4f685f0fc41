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
  let test: TestDatabase;
  let database: Database;
  const pools: pg.Pool[] = [];
  const open = (name: string) => {
    const pool = openDatabase({ connection: test.connection, log: () => undefined, name, size: SIZE });
    pools.push(pool);
    return pool;
  };
  beforeAll(async () => {
    test = await testDatabase();
    const [own, ownReader] = [open('own'), open('own reader')];
    const lanes = {
      requests: { pool: open('requests'), reader: open('requests reader') },
      operators: { pool: open('operators'), reader: open('operators reader') },
    };
    database = databaseOver(own, { reader: ownReader, lanes });
  });
  afterAll(async () => {
    await Promise.all(pools.map((pool) => pool.end()));
    await test.drop();
  });

  const nameBy = async (kind: 'reader' | 'store' | 'own') => {
    const query = sql<{ name: string }>`select current_setting('application_name') as name`;
    const { rows } = await query.execute(database[kind]);
    return rows[0]?.name;
  };

  it('EDGE-754 follow whoever asks: requests and operators have pools of their own, everything else those of the exchange', async () => {
    expect(await nameBy('reader')).toBe('own reader');
    expect(await inLane('requests', () => nameBy('reader'))).toBe('requests reader');
    expect(await inLane('requests', () => nameBy('store'))).toBe('requests');
    expect(await inLane('operators', () => nameBy('store'))).toBe('operators');
    const within = async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return asOwnWork(() => nameBy('store'));
    };
    expect(await inLane('requests', within)).toBe('own');
    expect(await inLane('requests', () => nameBy('own'))).toBe('own reader');
  });

  it('EDGE-754 keep requests that hold every connection of theirs from the exchange and from operators', async () => {
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
    expect(await nameBy('store')).toBe('own');
    expect(await inLane('operators', () => nameBy('store'))).toBe('operators');
    expect(isDone).toEqual([]);
    for (let n = 0; n < SIZE * 3; n += 1) {
      await eventually(() => expect(release.length).toBeGreaterThan(n));
      release[n]!();
    }
    await Promise.all(holding);
  });
});
