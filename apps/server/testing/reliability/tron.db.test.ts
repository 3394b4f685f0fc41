import { chainAddress } from '@exchange/core/chain-address.ts';
import { MINUTE_MS } from '@exchange/core/time.ts';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { commitSeed, isLongForm } from '../../../../tools/test-form.ts';
import { PROGRAMME_TIMEOUT_MS } from '../eventually.ts';
import { anExchange } from '../exchange.ts';
import { FakeTron, TRON_USDT } from '../fake-tron.ts';
import { seededRandom } from '../seeded-random.ts';
import { SIGNED_SERVER_SECRET } from '../signers.ts';
import {
  aTronSignerProcess,
  continueTronSigner,
  testTronAccount,
  testTronXpub,
} from '../test-tron-signer.ts';
import { requireBuiltServer } from './built-server.ts';
import { approveWithdrawals, killAtRandom } from './killed-withdrawals.ts';
import { guardedFolder } from './server-process.ts';

/**
 * Number of kills of the server. Every third one also kills the signer. `TRON_KILLS=5 TRON_WITHDRAWALS=30` is a short
 * run. `TRON_SEED=7` repeats the run whose random numbers came from seed 7.
 */
const KILLS = Number(process.env['TRON_KILLS'] ?? 40);
const WITHDRAWALS = Number(process.env['TRON_WITHDRAWALS'] ?? 120);
const SEED = Number(process.env['TRON_SEED'] ?? commitSeed);
const LIMIT = '100/100000';
const WITHDRAWN = '11';
const ARRIVES = 10n * 10n ** 6n;
const OUTSIDER = 'TNUC9Qb1rRpS5CbWLmNMxXBjyFoydXjWFR';

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
      // About a quarter of all transactions are never included in a block, although the node reports them as accepted.
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
        await approveWithdrawals(exchange, {
          asset: 'USDT',
          network: 'TRC20',
          amount: WITHDRAWN,
          balance: '9000',
          receivers,
        });
        const starts = await killAtRandom(exchange, {
          kills: KILLS,
          random,
          guard,
          signer,
          closeBlock: () => node.solidify(),
        });
        // From here on the signer, the node and the exchange share a clock that the test advances, because a lost
        // transaction can be signed again only after it has expired, which takes minutes.
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
        // Lost transactions are signed again, so there are more signatures than withdrawals.
        expect(signed).toBeGreaterThan(WITHDRAWALS);
        // `close` throws if the ledger, the holds or the order books are inconsistent.
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

/** Returns `count` addresses that do not belong to the exchange. */
function receiversOf(count: number): string[] {
  return Array.from({ length: count }, (_, at) =>
    chainAddress('tron', Buffer.from((0x5eed_0000 + at).toString(16).padStart(40, '0'), 'hex')),
  );
}
