import { Decimal } from '@exchange/core/decimal.ts';
import { DAY_MS, later } from '@exchange/core/time.ts';
import {
  buyMining,
  miningIncome,
  miningOrderDetail,
  miningOrders,
  miningProducts,
  redeemMining,
} from '@exchange/wire/mining.ts';
import type { ProductCrawl } from '../../../../testing/crawls/product-crawls.ts';
import { createSaver, purchase } from '../../finance/testing/products.ts';
import { createMiningProduct } from './products.ts';

const d = (text: string): Decimal => Decimal.parse(text);

/** Sample requests and data of mining for the crawls, the tests that call every endpoint. */
export const crawl: ProductCrawl = {
  repeated: [
    [
      redeemMining,
      async (exchange) => {
        const trader = await createSaver(exchange, { USDT: '1000' });
        const { orderId } = await trader.request(
          buyMining,
          purchase(await createMiningProduct(exchange, 'old', { cycle: 2 }), '200'),
        );
        for (let index = 0; index < 2; index += 1) {
          await exchange.advanceTime(2 * DAY_MS);
          await exchange.doors.mining.jobs.settle();
        }
        return { trader, fields: { id: orderId } };
      },
    ],
    [
      buyMining,
      async (exchange) => ({
        trader: await createSaver(exchange, { USDT: '1000' }),
        fields: purchase(await createMiningProduct(exchange, 'repeat'), '200'),
      }),
    ],
  ],
  lists: [
    [
      miningProducts,
      async (exchange) => {
        let count = 0;
        const add = () => createMiningProduct(exchange, `rig${(count += 1)}`);
        return { reader: await exchange.aUser(), add, isCatalogue: true };
      },
    ],
    [
      miningOrders,
      async (exchange) => {
        const reader = await createSaver(exchange, { USDT: '10000' });
        const product = await createMiningProduct(exchange, 'pages', { maxAmount: d('10000') });
        return { reader, add: () => reader.request(buyMining, purchase(product, '200')) };
      },
    ],
    [
      miningIncome,
      async (exchange) => {
        const reader = await createSaver(exchange, { USDT: '1000' });
        const { orderId } = await reader.request(
          buyMining,
          purchase(await createMiningProduct(exchange, 'income'), '200'),
        );
        let day = 0;
        const add = () => {
          day += 1;
          return exchange.database.pool.query(
            'insert into mining_income values ($1, $2::int, $3, $2::bigint * 86400000, 1, 1)',
            [orderId, day, reader.id],
          );
        };
        return { reader, add };
      },
    ],
  ],
  owned: async (exchange, owner) => {
    await createMiningProduct(exchange, 'walk');
    const house = { origin: 'walk', since: later(exchange.clock.now(), -20 * DAY_MS) };
    await exchange.doors.mining.mining.buyForSystem(owner.id, 'walk', d('100'), house);
    const { id } = (await owner.request(miningOrders)).list[0]!;
    return { [redeemMining.path]: id, [miningOrderDetail.path]: id };
  },
  shared: [buyMining],
};
