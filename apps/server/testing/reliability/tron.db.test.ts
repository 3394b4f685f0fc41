import { setTimeout as sleep } from 'node:timers/promises';
import { chainAddress } from '@exchange/core/chain-address.ts';
import { Decimal } from '@exchange/core/decimal.ts';
import { WITHDRAWALS_PER_DAY } from '@exchange/core/network.ts';
import { DAY_MS, MINUTE_MS } from '@exchange/core/time.ts';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { commitSeed, isLongForm } from '../../../../tools/test-form.ts';
import { createSaver } from '../../src/modules/finance/testing/products.ts';
import { urlOf, withRuntimeRole } from '../database.ts';
import { PROGRAMME_TIMEOUT_MS } from '../eventually.ts';
import { anExchange, type TestExchange } from '../exchange.ts';
import { FakeTron, TRON_USDT } from '../fake-tron.ts';
import { markAddressKnown } from '../mark-address-known.ts';
import { seededRandom } from '../seeded-random.ts';
import { SIGNED_SERVER_SECRET } from '../signers.ts';
import {
  aTronSignerProcess,
  continueTronSigner,
  testTronAccount,
  testTronXpub,
} from '../test-tron-signer.ts';
import { requireBuiltServer } from './built-server.ts';
import { guardedFolder, ServerProcess } from './server-process.ts';

/** Numbers of kills and withdrawals; for a try: `TRON_KILLS=5 TRON_WITHDRAWALS=30`, not fewer. `TRON_SEED=7` repeats a run. */
const KILLS = Number(process.env['TRON_KILLS'] ?? 40);
const WITHDRAWALS = Number(process.env['TRON_WITHDRAWALS'] ?? 120);
const SEED = Number(process.env['TRON_SEED'] ?? commitSeed);
const USERS = 5;
const BLOCK_MS = 1_000;
const LIMIT = '100/100000';
const WITHDRAWN = '11';
const ARRIVES = 10n * 10n ** 6n;
const OUTSIDER = 'TNUC9Qb1rRpS5CbWLmNMxXBjyFoydXjWFR';
/** Greatest time in milliseconds after which a process is killed, start included. */
const LIFE_MS = 9_000;
const START_MS = 45_000;

describe('withdrawals on TRON while everything is killed', () => {
  beforeAll(() => {
    if (isLongForm) requireBuiltServer();
  });
  afterEach(() => vi.unstubAllEnvs());

  it.skipIf(!isLongForm)(
    'TRON-022 when server and signer are killed at random instants and the node loses transactions, each withdrawal is paid once',
    { timeout: 4 * PROGRAMME_TIMEOUT_MS },
    async () => {
      console.log(`TRON_SEED=${SEED}`);
      const random = seededRandom(SEED);
      const node = new FakeTron();
      await node.start();
      const signer = await aTronSignerProcess(LIMIT);
      const wallet = testTronAccount().address;
      node.fund(wallet, { coins: 100_000n * 10n ** 6n });
      node.fund(OUTSIDER, { tokens: 10n ** 12n });
      node.transfer({ from: OUTSIDER, to: wallet, units: 10n ** 11n });
      // A quarter of all transactions is in no block, whatever the node said.
      node.loses = (txid) => Number.parseInt(txid.slice(-1), 16) < 4;
      const settings = {
        TRON_RPC_URL: node.url,
        TRON_XPUB: testTronXpub(),
        TRON_TOKENS: `USDT=${TRON_USDT}:6`,
        TRON_CHAIN: 'nile',
        TRON_START_BLOCK: '1',
        TRON_WALLET: wallet,
        TRON_SIGNER: signer.place,
        TRON_SIGNER_SECRET_FILE: signer.secretFile,
        SERVER_SECRET: SIGNED_SERVER_SECRET,
        HOUSE_TRADING: 'off',
      };
      for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
      const exchange = await anExchange({ settings });
      const { guard } = guardedFolder();
      let continued: Awaited<ReturnType<typeof continueTronSigner>> | undefined;
      try {
        const receivers = receiversOf(WITHDRAWALS);
        await prepare(exchange, receivers);
        let starts = 0;
        await exchange.restart(async () => {
          const { connection } = exchange.database;
          const server = await ServerProcess.prepare({
            databaseUrl: urlOf(withRuntimeRole(connection)),
            databaseOwnerUrl: urlOf(connection),
            within: { dataDirectory: exchange.dataDirectory, guard },
            settings: { SERVER_SECRET: SIGNED_SERVER_SECRET },
          });
          const blocks = setInterval(() => node.solidify(), BLOCK_MS);
          try {
            for (let kill = 0; kill < KILLS; kill += 1) {
              server.launch();
              starts += await waitForStart(server);
              await sleep(random.whole(0, LIFE_MS));
              const isSignerToo = kill % 3 === 0;
              if (isSignerToo) await signer.kill();
              await server.killServer();
              if (isSignerToo) await signer.start();
            }
          } finally {
            clearInterval(blocks);
            await server.close();
          }
        });
        // From here on, the clock of signer, node and exchange is moved, because a lost transaction ends after minutes.
        await signer.kill();
        node.clock = () => exchange.clock.now();
        continued = await continueTronSigner(signer, LIMIT, node.clock);
        const { pool } = exchange.database;
        const count = async (query: string) =>
          Number((await pool.query<{ count: string }>(query)).rows[0]!.count);
        const paid = () => count('select count(*) from withdrawal where status = 1');
        const until = Date.now() + PROGRAMME_TIMEOUT_MS;
        while ((await paid()) < WITHDRAWALS) {
          if (Date.now() > until)
            throw new Error(`${exchange.doors.chains.health().reason}; ${await paid()} are paid`);
          await exchange.advanceTime(MINUTE_MS);
          node.solidify(2);
          await exchange.doors.deposits.jobs.watch();
          await exchange.doors.withdrawals.jobs.advance();
        }
        for (const address of receivers) expect(node.tokens.get(address), address).toBe(ARRIVES);
        const { wallets } = exchange.doors.chains.chains.channels.find(({ kind }) => kind === 'tron')!;
        const held = (await wallets!.holdings(node.blocks.length - 1)).get('USDT')!;
        expect(held.toScaled(6)).toBe(node.tokens.get(wallet));
        const signed = await count('select count(*) from tron_signed');
        console.log(
          `${KILLS} kills, ${starts} after a complete start; ${signed} transactions of ${WITHDRAWALS} withdrawals`,
        );
        // A quarter of the transactions was lost, so that some payments were signed again.
        expect(signed).toBeGreaterThan(WITHDRAWALS);
        // Throws if the ledger, the holds or the order books are inconsistent.
        await exchange.close();
      } finally {
        await continued?.close();
        await signer.close();
        await node.stop();
        await guard.cleanUp();
      }
    },
  );
});

/** Creates addresses outside of the exchange. */
function receiversOf(count: number): string[] {
  return Array.from({ length: count }, (_, at) =>
    chainAddress('tron', Buffer.from((0x5eed_0000 + at).toString(16).padStart(40, '0'), 'hex')),
  );
}

/** Creates users with coins, whose withdrawals are all approved. */
async function prepare(exchange: TestExchange, receivers: readonly string[]): Promise<void> {
  const savers = [];
  for (let made = 0; made < USERS; made += 1) savers.push(await createSaver(exchange, { USDT: '9000' }));
  await exchange.doors.deposits.jobs.watch();
  const { pool } = exchange.database;
  // Setting a trade password holds withdrawals for a day, and the killed server uses the system
  // clock, so the hold is removed.
  await pool.query('update user_account set hold_until = 0');
  const { withdrawals, review } = exchange.doors.withdrawals;
  for (const [at, address] of receivers.entries()) {
    const saver = savers[at % USERS]!;
    // The number of withdrawals per day is limited, so earlier ones are moved to the previous day.
    if (at > 0 && at % WITHDRAWALS_PER_DAY === 0)
      await pool.query('update withdrawal set created_at = created_at - $1', [DAY_MS]);
    await markAddressKnown(exchange, saver.id, 'USDT', 'TRC20', address);
    const { id } = await withdrawals.submit(saver.id, {
      asset: 'USDT',
      network: 'TRC20',
      amount: Decimal.parse(WITHDRAWN),
      address,
      addressId: undefined,
      memo: undefined,
      remark: undefined,
    });
    await review.decide(id, 'approve', { by: 'an operator', persons: 1 });
  }
}

/**
 * Waits until the server is up, for `START_MS` at the most. Returns 1 if it is up, otherwise 0: on a busy
 * machine the caller then kills it during its start.
 */
async function waitForStart(server: ServerProcess): Promise<0 | 1> {
  const until = Date.now() + START_MS;
  while (Date.now() < until) {
    const isUp = await fetch(`${server.url}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return 1;
    await sleep(100);
  }
  return 0;
}
