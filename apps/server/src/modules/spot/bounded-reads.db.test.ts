import { randomUUID } from 'node:crypto';
import { Decimal } from '@exchange/core/decimal.ts';
import type { UserId } from '@exchange/core/ids.ts';
import { SeededGenerator } from '@exchange/core/seeded-generator.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '../../../testing/database.ts';
import { databaseOver } from '../../platform/database/database.ts';
import { pricesSince, tradedValue } from './repository.ts';

const DAY_MS = 86_400_000;
const NOW = 1_800_000_000_000 + 12_345_678;

describe('the cost of reading trades', () => {
  let database: TestDatabase;
  const users = [1, 2, 3].map(() => randomUUID() as UserId);
  const random = new SeededGenerator(7);
  const between = (least: number, most: number) => Math.floor(random.between(least, most));

  beforeEach(async () => {
    database = await testDatabase();
  });
  afterEach(() => database.drop());

  interface Made {
    readonly parties: readonly UserId[];
    readonly value: string | null;
    readonly at: number;
  }

  async function trade(sequence: number, made: Made, symbol = 'btcusdt'): Promise<void> {
    await database.pool.query(
      `insert into spot_trade values (gen_random_uuid(), $1, $2, $6, 1, 1, 'buy', $3, gen_random_uuid(), 0,
         $4, gen_random_uuid(), 0, $5, $7)`,
      [sequence, symbol, made.parties[0], made.parties[1], made.value, sequence, made.at],
    );
  }

  it('SPOT-280 the 30-day volume equals the sum over all trades to the millisecond', async () => {
    const made: Made[] = [];
    for (let sequence = 1; sequence <= 400; sequence += 1) {
      const first = between(0, 3);
      const parties = [users[first]!, users[(first + between(1, 3)) % 3]!];
      const value =
        random.next() < 0.1 ? null : Decimal.ofScaled(BigInt(between(1, 10_000_000)), 6).toString();
      // A fifth of the trades are at most two milliseconds before a midnight UTC, to test the bounds of UTC
      // days.
      const at =
        random.next() < 0.2
          ? between(20_793, 20_833) * DAY_MS - between(0, 2)
          : NOW - between(0, 40 * DAY_MS);
      made.push({ parties, value, at });
      await trade(sequence, made.at(-1)!);
    }
    const { reader } = databaseOver(database.pool);
    for (const user of users) {
      for (const since of [
        0,
        NOW - 30 * DAY_MS,
        20_803 * DAY_MS,
        20_803 * DAY_MS - 1,
        ...made.slice(0, 40).map(({ at }) => at),
      ]) {
        const naive = made
          .filter(({ parties, at }) => parties.includes(user) && at >= since)
          .reduce((sum, { value }) => sum.plus(Decimal.parse(value ?? '0')), Decimal.zero);
        expect((await tradedValue(reader, [user], since)).toString()).toBe(naive.toString());
      }
    }
  });

  it('SPOT-281 after a restart the trailing stops of a quiet pair read only that pair’s trades', async () => {
    await database.pool.query(
      `insert into spot_trade select gen_random_uuid(), n, 'btcusdt', 5, 1, 5, 'buy', $1, gen_random_uuid(), 0,
         $2, gen_random_uuid(), 0, 5, $3 from generate_series(1, 20000) n`,
      [users[0], users[1], NOW],
    );
    await trade(20_001, { parties: users, value: '1', at: NOW }, 'eosbtc');
    await database.pool.query('analyze spot_trade');
    const { reader } = databaseOver(database.pool);
    expect((await pricesSince(reader, 'eosbtc', 5)).map(({ sequence }) => sequence)).toEqual([20_001]);
    const { rows } = await database.pool.query<Record<string, string>>(
      `explain select sequence, price from spot_trade where sequence > 5 and symbol = 'eosbtc' order by sequence desc`,
    );
    expect(rows.map((row) => row['QUERY PLAN']).join()).toContain('spot_trade_symbol');
  });
});
