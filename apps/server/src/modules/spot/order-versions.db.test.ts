import type { OrderId } from '@exchange/core/ids.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '../../../testing/database.ts';
import { databaseOver, type CopyRows } from '../../platform/database/database.ts';
import { OrderVersions, type ChangedVersions } from './order-versions.ts';

const ORDERS = 300;

let own: TestDatabase;
beforeAll(async () => {
  own = await testDatabase();
  await own.pool.query(
    `insert into spot_order (id, owner, symbol, side, type, time_in_force, post_only, self_trade, price, amount,
       filled_amount, filled_total, fee, held, held_asset, status, reason, maker_rate, taker_rate, client_id,
       rank, created_at, updated_at)
     select gen_random_uuid(), gen_random_uuid(), 'btcusdt', 'buy', 'limit', 'GTC', false, 'cancelTaker', 100, 1, 0, 0, 0, 100,
       'USDT', 'open', '', 0.001, 0.001, 'order-' || n, n, 1790000000000, 1790000000000 from generate_series(1, $1::int) as n`,
    [ORDERS],
  );
});
afterAll(() => own.drop());

it('CLU-100 finds the orders that are new, changed or no longer open, and reads few others', async () => {
  const versions = new OrderVersions();
  const idOf = async (rank: number) =>
    (await own.pool.query<{ id: OrderId }>('select id from spot_order where rank = $1', [rank])).rows[0]!.id;
  const [filled, ended, amended] = [await idOf(1), await idOf(2), await idOf(3)];
  const read = async () => {
    let versionsRead = 0;
    const counting =
      (copy: CopyRows): CopyRows =>
      (select, onRow) =>
        copy(select, (cells) => {
          if (!select.includes('bit_xor')) versionsRead += 1;
          onRow(cells);
        });
    const changed = await databaseOver(own.pool).copying((copy) => versions.read(counting(copy)));
    versions.apply(changed);
    return { changed, versionsRead };
  };
  const idsOf = ({ ids }: ChangedVersions) => new Set(ids);

  const first = await read();
  expect(first.changed.size).toBe(ORDERS);
  expect(idsOf(first.changed).size).toBe(ORDERS);
  expect((await read()).versionsRead).toBe(0);

  await own.pool.query('update spot_order set filled_amount = 0.5 where id = $1', [filled]);
  const afterFill = await read();
  expect([...afterFill.changed.ids]).toEqual([filled]);
  expect(afterFill.versionsRead).toBeLessThan(10);

  await own.pool.query(`update spot_order set status = 'cancelled', held = 0 where id = $1`, [ended]);
  const afterEnd = await read();
  expect(afterEnd.changed.ids).toEqual([]);
  expect(afterEnd.changed.size).toBe(ORDERS - 1);
  expect([versions.has(ended), versions.has(filled), versions.size]).toEqual([false, true, ORDERS - 1]);

  // The rows of an order and of its terms have separate versions; a change of either is found.
  await own.pool.query(`insert into spot_order_terms (order_id, cancelled_amount) values ($1, 0)`, [amended]);
  expect([...(await read()).changed.ids]).toEqual([amended]);
  await own.pool.query('update spot_order_terms set order_id = order_id where order_id = $1', [amended]);
  expect([...(await read()).changed.ids]).toEqual([amended]);
  expect((await read()).versionsRead).toBe(0);
});
