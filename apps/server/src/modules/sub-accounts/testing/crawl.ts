import {
  archiveSubAccount,
  createSubAccount,
  renameSubAccount,
  subAccountTransfers,
  transferSubAccount,
} from '@exchange/wire/sub-account.ts';
import type { ProductCrawl } from '../../../../testing/crawls/product-crawls.ts';

/**
 * Example requests of the sub-account endpoints for the tests that call every endpoint, and a sequence of actions for
 * the replay test.
 */
export const crawl: ProductCrawl = {
  repeated: [
    [
      createSubAccount,
      async (exchange) => ({ trader: await exchange.aUser(), fields: { name: 'Repeated', note: 'once' } }),
    ],
    [
      renameSubAccount,
      async (exchange) => {
        const trader = await exchange.aUser();
        const { id } = await trader.request(createSubAccount, { name: 'Before' });
        return { trader, fields: { id, name: 'After' } };
      },
    ],
    [
      archiveSubAccount,
      async (exchange) => {
        const trader = await exchange.aUser();
        const { id } = await trader.request(createSubAccount, { name: 'Old' });
        return { trader, fields: { id } };
      },
    ],
    [
      transferSubAccount,
      async (exchange) => {
        const trader = await exchange.aUser({ USDT: '100' });
        const { id } = await trader.request(createSubAccount, { name: 'Moved to' });
        return {
          trader,
          fields: {
            to: id,
            coin: 'USDT',
            amount: '25',
          },
        };
      },
    ],
  ],
  lists: [
    [
      subAccountTransfers,
      async (exchange) => {
        const reader = await exchange.aUser({ USDT: '100' });
        const { id } = await reader.request(createSubAccount, { name: 'Pages' });
        return {
          reader,
          add: () => reader.request(transferSubAccount, { to: id, coin: 'USDT', amount: '1' }),
        };
      },
    ],
  ],
  owned: async (_exchange, owner) => {
    const create = async (name: string) => (await owner.request(createSubAccount, { name })).id;
    return {
      [renameSubAccount.path]: await create('Walk'),
      [archiveSubAccount.path]: await create('Walk to archive'),
      [subAccountTransfers.path]: await create('Walk of transfers'),
    };
  },
  story: async (exchange) => {
    const master = await exchange.aUser({ USDT: '1000' });
    const { id } = await master.request(createSubAccount, { name: 'Story', note: 'told' });
    const { id: other } = await master.request(createSubAccount, { name: 'Other story' });
    await master.request(renameSubAccount, { id, name: 'Retold' });
    await master.request(transferSubAccount, { to: id, coin: 'USDT', amount: '300' });
    await master.request(transferSubAccount, {
      from: id,
      to: other,
      coin: 'USDT',
      amount: '100',
    });
    await master.request(transferSubAccount, { from: other, coin: 'USDT', amount: '100' });
    await master.request(archiveSubAccount, { id: other });
  },
};
