import { setTimeout as sleep } from 'node:timers/promises';
import { Decimal } from '@exchange/core/decimal.ts';
import { WITHDRAWALS_PER_DAY } from '@exchange/core/network.ts';
import { DAY_MS, MINUTE_MS } from '@exchange/core/time.ts';
import { UTXO_NETWORKS } from '@exchange/core/utxo-network.ts';
import { depositAddress } from '@exchange/wire/deposit.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { commitSeed, isLongForm } from '../../../../tools/test-form.ts';
import { createSaver } from '../../src/modules/finance/testing/products.ts';
import { addressCodec } from '../../src/platform/utxo/scripts.ts';
import { urlOf, withRuntimeRole } from '../database.ts';
import { PROGRAMME_TIMEOUT_MS } from '../eventually.ts';
import { anExchange, type TestExchange, type TestTrader } from '../exchange.ts';
import { Litecoind, testAccountXpub, withoutLitecoind } from '../litecoind.ts';
import { markAddressKnown } from '../mark-address-known.ts';
import { seededRandom } from '../seeded-random.ts';
import { SIGNED_SERVER_SECRET } from '../signers.ts';
import { aUtxoSignerProcess } from '../test-utxo-signer.ts';
import { requireBuiltServer } from './built-server.ts';
import { guardedFolder, ServerProcess } from './server-process.ts';

const skipped = withoutLitecoind();
/**
 * Number of kills of the server. Every third one also kills the signer. `UTXO_KILLS=10 UTXO_DEPOSITS=100
 * UTXO_WITHDRAWALS=30` is a short run. `UTXO_SEED=7` repeats the run whose random numbers came from seed 7.
 */
const KILLS = Number(process.env['UTXO_KILLS'] ?? 100);
const DEPOSITS = Number(process.env['UTXO_DEPOSITS'] ?? 1_000);
const WITHDRAWALS = Number(process.env['UTXO_WITHDRAWALS'] ?? 300);
const SEED = Number(process.env['UTXO_SEED'] ?? commitSeed);
/** Number of users with a deposit address. Each deposit transaction pays each of them once. */
const USERS = 5;
const CONFIRMATIONS = 3;
const BLOCK_MS = 2_500;
const BLOCKS_BETWEEN_REORGS = 7;
const DEPOSITED = '0.02';
const WITHDRAWN = '0.051';
const ARRIVES = '0.05';
const STARTED_WITH = 100;
/**
 * Maximum lifetime in milliseconds of the server before it is killed. It is counted from the server's readiness, or
 * from `START_MS` after its launch if it is not ready by then.
 */
const LIFE_MS = 9_000;
const START_MS = 45_000;

describe.skipIf(skipped !== undefined)('coins of the Bitcoin family while everything is killed', () => {
  beforeAll(requireBuiltServer);
  afterEach(() => vi.unstubAllEnvs());

  it.skipIf(!isLongForm)(
    'UTXO-027 UTXO-005 when server and signer are killed at random instants and blocks are dropped, each deposit is credited once and each withdrawal paid once',
    { timeout: 4 * PROGRAMME_TIMEOUT_MS },
    async () => {
      console.log(`UTXO_SEED=${SEED}`);
      const random = seededRandom(SEED);
      const node = await Litecoind.start(20);
      const signer = await aUtxoSignerProcess('1/1000');
      const settings = {
        LTC_RPC_URL: node.url,
        LTC_RPC_AUTH_FILE: node.authFile,
        LTC_XPUB: testAccountXpub(),
        LTC_CHAIN: 'regtest',
        LTC_CONFIRMATIONS: String(CONFIRMATIONS),
        LTC_SIGNER: signer.place,
        LTC_SIGNER_SECRET_FILE: signer.secretFile,
        LTC_REPLACE_MINUTES: '1',
        SERVER_SECRET: SIGNED_SERVER_SECRET,
        HOUSE_TRADING: 'off',
      };
      for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
      const exchange = await anExchange({ settings });
      const { guard } = guardedFolder();
      try {
        const receivers = await receiversOf(WITHDRAWALS);
        const { savers, addresses } = await prepare(exchange, receivers);
        let starts = 0;
        await exchange.restart(async () => {
          const { connection } = exchange.database;
          const server = await ServerProcess.prepare({
            databaseUrl: urlOf(withRuntimeRole(connection)),
            databaseOwnerUrl: urlOf(connection),
            within: { dataDirectory: exchange.dataDirectory, guard },
            settings: { SERVER_SECRET: SIGNED_SERVER_SECRET },
          });
          const world = mineAndPay(node, addresses);
          try {
            for (let kill = 0; kill < KILLS; kill += 1) {
              server.launch();
              starts += await server.waitForHealth(START_MS);
              await sleep(random.whole(0, LIFE_MS));
              const isSignerToo = kill % 3 === 0;
              if (isSignerToo) await signer.kill();
              await server.killServer();
              if (isSignerToo) await signer.start();
            }
          } finally {
            await server.close();
            await world.end();
          }
        });
        const { pool } = exchange.database;
        const count = async (query: string) =>
          Number((await pool.query<{ count: string }>(query)).rows[0]!.count);
        const isDone = async () =>
          (await count('select count(*) from deposit where status = 1')) === DEPOSITS &&
          (await count('select count(*) from withdrawal where status = 1')) === WITHDRAWALS;
        const until = Date.now() + PROGRAMME_TIMEOUT_MS;
        while (!(await isDone())) {
          const facts = `${exchange.doors.chains.health().reason}; ${await count('select count(*) from deposit where status = 1')} credited, ${await count('select count(*) from withdrawal where status = 1')} paid`;
          if (Date.now() > until) throw new Error(facts);
          await node.mine();
          await exchange.advanceTime(MINUTE_MS);
          await exchange.doors.deposits.jobs.watch();
          await exchange.doors.withdrawals.jobs.advance();
        }
        expect(await count('select count(*) from deposit')).toBe(DEPOSITS);
        for (const address of receivers)
          expect((await node.received(address)).toString(), address).toBe(ARRIVES);
        // The sum of the exchange's coins in the database must equal the sum that the node reports for the exchange's
        // addresses.
        const { wallets } = exchange.doors.chains.chains.channels.find(({ kind }) => kind === 'utxo')!;
        const { rows } = await pool.query<{ address: string }>(
          'select address from utxo_address union select address from utxo_output',
        );
        const held = (await wallets!.holdings(await node.height())).get('LTC')!;
        expect(held.toString()).toBe((await node.received(...rows.map(({ address }) => address))).toString());
        const total = await sumOfBalances(savers);
        const [deposited, withdrawn] = [Decimal.parse(DEPOSITED), Decimal.parse(WITHDRAWN)];
        expect(total.toString()).toBe(
          Decimal.ofWhole(USERS * STARTED_WITH)
            .plus(deposited.timesExact(Decimal.ofWhole(DEPOSITS)))
            .minus(withdrawn.timesExact(Decimal.ofWhole(WITHDRAWALS)))
            .toString(),
        );
        const batches = await count('select count(*) from utxo_batch');
        const variants = await count('select count(*) from utxo_variant');
        const gone = await count('select count(*) from chain_sighting where is_gone');
        console.log(
          `${KILLS} kills, ${starts} after a complete start; ${batches} batches with ${variants} transactions; ${gone} payments were in dropped blocks`,
        );
        // `close` throws if the ledger, the holds or the order books are inconsistent.
        await exchange.close();
      } finally {
        await signer.close();
        await node.stop();
        await guard.cleanUp();
      }
    },
  );
});

/** Returns `count` addresses that do not belong to the exchange. */
async function receiversOf(count: number): Promise<string[]> {
  const codec = await addressCodec(UTXO_NETWORKS.get('LTC')!);
  return Array.from({ length: count }, (_, at) =>
    codec.addressOf(`0014${(0x5eed_0000 + at).toString(16).padStart(40, '0')}`)!,
  );
}

/** Creates users with coins and deposit addresses, and one approved withdrawal for each receiving address. */
async function prepare(exchange: TestExchange, receivers: readonly string[]) {
  const savers: TestTrader[] = [];
  const addresses: string[] = [];
  for (let made = 0; made < USERS; made += 1) {
    const saver = await createSaver(exchange, { LTC: String(STARTED_WITH) });
    savers.push(saver);
    addresses.push((await saver.request(depositAddress, { currency: 'LTC', network: 'LTC' })).address);
  }
  await exchange.doors.deposits.jobs.watch();
  const { pool } = exchange.database;
  // A user's withdrawals are blocked for a day after the trade password was set. The killed server uses the system
  // clock, so the test removes the block from the database.
  await pool.query('update user_account set hold_until = 0');
  const { withdrawals } = exchange.doors.withdrawals;
  for (const [at, address] of receivers.entries()) {
    const saver = savers[at % USERS]!;
    // The server limits a user's withdrawals per day, so this statement moves the earlier ones to the previous day.
    if (at > 0 && at % WITHDRAWALS_PER_DAY === 0)
      await pool.query('update withdrawal set created_at = created_at - $1', [DAY_MS]);
    await markAddressKnown(exchange, saver.id, 'LTC', 'LTC', address);
    const { id } = await withdrawals.submit(saver.id, {
      asset: 'LTC',
      network: 'LTC',
      amount: Decimal.parse(WITHDRAWN),
      address,
      addressId: undefined,
      memo: undefined,
      remark: undefined,
    });
    await exchange.doors.withdrawals.review.decide(id, 'approve', { by: 'an operator', persons: 1 });
  }
  return { savers, addresses };
}

/**
 * Pays deposits, mines blocks and replaces some blocks while the test kills the server again and again. Ends when the
 * test has called `end` and all deposits are paid. The deposits provide the coins from which withdrawals are paid.
 */
function mineAndPay(node: Litecoind, addresses: readonly string[]) {
  const stopped = new AbortController();
  const transactions = DEPOSITS / USERS;
  const running = (async () => {
    for (let round = 0; round < transactions || !stopped.signal.aborted; round += 1) {
      if (round < transactions)
        await node.pay(Object.fromEntries(addresses.map((address) => [address, DEPOSITED])));
      await node.mine();
      if (!stopped.signal.aborted) await sleep(BLOCK_MS);
      // After the pause a running server has usually processed the newest block, which this reorganization replaces.
      if (round % BLOCKS_BETWEEN_REORGS === BLOCKS_BETWEEN_REORGS - 1) await node.reorg(1);
    }
  })();
  // `end` awaits `running` and throws its error. This line prevents an unhandled rejection until then.
  running.catch(() => undefined);
  return {
    end: async () => {
      stopped.abort();
      await running;
    },
  };
}

async function sumOfBalances(savers: readonly TestTrader[]): Promise<Decimal> {
  let total = Decimal.zero;
  for (const saver of savers) {
    const { availableCurrency, frozenCurrency } = (await saver.request(spotAssets, { currency: 'LTC' }))
      .list[0]!;
    total = total.plus(Decimal.parse(availableCurrency)).plus(Decimal.parse(frozenCurrency));
  }
  return total;
}
