import { DAY_MS, instant, later } from '@exchange/core/time.ts';
import { expect, it } from 'vitest';
import { testDatabase } from '../../../testing/database.ts';
import { databaseOver } from '../../platform/database/database.ts';
import { rollBackEvmBlocks, storeBlockAndSightings } from './evm-repository.ts';
import { EvmWallets } from './evm-wallets.ts';

const NETWORK = 'ERC20';
const HOUSE = `0x${'f'.repeat(40)}`;
const USERS = 620;
const ETHER = 10n ** 18n;

const addressOf = (index: number) => `0x${index.toString(16).padStart(40, '0')}`;

it('TRE-102 holdings read the addresses that blocks have touched and a bounded number of the others, however many users there are', async () => {
  const testing = await testDatabase();
  const { pool } = testing;
  try {
    const database = databaseOver(pool);
    await pool.query(
      `insert into evm_address (idx, owner, address, at)
       select idx, gen_random_uuid(), '0x' || lpad(to_hex(idx), 40, '0'), 0 from generate_series(0, $1) idx`,
      [USERS - 1],
    );
    const balances = new Map([[HOUSE, 5n * ETHER]]);
    const pay = (index: number, units: bigint) => balances.set(addressOf(index), units);
    let asked: string[] = [];
    let now = instant(1_800_000_000_000);
    const tokens = new Map<string, { contract: string; digits: number }>();
    const wallets = new EvmWallets({
      terms: { network: NETWORK, coin: 'ETH', tokens },
      node: {
        balancesAt: (_block, questions) => {
          asked.push(...questions.map(({ address, contract }) => `${address} ${contract ?? 'ETH'}`));
          return Promise.resolve(
            questions.map(({ address, contract }) =>
              contract === undefined ? (balances.get(address) ?? 0n) : 1_000_000n,
            ),
          );
        },
      },
      clock: { now: () => now, monotonicMs: () => 0 },
      database,
      houses: [HOUSE],
      height: () => 100,
      needed: () => 3,
    });
    const held = async (block: number) => {
      asked = [];
      const holdings = await wallets.holdings(block);
      return {
        ETH: holdings.get('ETH')!.toString(),
        USDT: holdings.get('USDT')?.toString(),
        asked: asked.length,
      };
    };
    const store = (number: number, touched: readonly string[]) =>
      database.transaction((tx) =>
        storeBlockAndSightings(
          tx,
          NETWORK,
          { number, hash: `0x${number}` },
          { sightings: [], touched, unfit: new Map() },
          { keepBlocks: 256, now: instant(0) },
        ),
      );
    pay(3, ETHER);
    pay(600, 2n * ETHER);
    // The first call reads the balances of all addresses, later calls only those of the exchange's own wallets.
    expect(await held(10)).toEqual({ ETH: '8', USDT: undefined, asked: USERS + 1 });
    expect(await held(10)).toEqual({ ETH: '8', USDT: undefined, asked: 1 });

    pay(3, 0n);
    pay(4, 4n * ETHER);
    await store(11, [addressOf(3), addressOf(4), HOUSE, '0xstranger']);
    expect(await held(11)).toEqual({ ETH: '11', USDT: undefined, asked: 3 });
    // A transfer in block 12 may have changed the balance of an address. The balance is read both at block 11 and again
    // at block 12.
    await store(12, [addressOf(4)]);
    expect((await held(11)).asked).toBe(2);
    expect((await held(12)).asked).toBe(2);
    expect((await held(12)).asked).toBe(1);
    // The balances were read at block 12. The chain has dropped this block, so they are read again.
    pay(4, ETHER);
    await database.transaction((tx) => rollBackEvmBlocks(tx, NETWORK, 11));
    expect(await held(12)).toEqual({ ETH: '8', USDT: undefined, asked: 2 });

    // A changed balance of which no block shows a transfer is found within a day: each call also reads a limited number
    // of other addresses.
    pay(7, ETHER);
    expect((await held(12)).ETH).toBe('8');
    now = later(now, DAY_MS + 1);
    const first = await held(13);
    const second = await held(13);
    expect(first.asked).toBeLessThanOrEqual(502);
    expect(second.asked).toBeLessThan(USERS);
    expect([first.asked + second.asked, second.ETH]).toEqual([USERS + 2, '9']);
    expect((await held(13)).asked).toBe(1);

    // The balances of a newly listed coin, or of a coin with a new contract, are read on all addresses.
    tokens.set('USDT', { contract: '0x1', digits: 6 });
    expect(await held(13)).toEqual({ ETH: '9', USDT: '621', asked: 2 * (USERS + 1) });
    expect((await held(13)).asked).toBe(2);
    tokens.set('USDT', { contract: '0x2', digits: 6 });
    expect(await held(13)).toEqual({ ETH: '9', USDT: '621', asked: 2 * (USERS + 1) });
    // A deposit address that is assigned between two calls is queried once for each coin.
    await pool.query(
      `insert into evm_address (idx, owner, address, at) values ($1, gen_random_uuid(), $2, 0)`,
      [USERS, addressOf(USERS)],
    );
    expect((await held(13)).asked).toBe(4);
  } finally {
    await testing.drop();
  }
});
