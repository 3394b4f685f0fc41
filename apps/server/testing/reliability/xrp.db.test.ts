import { Decimal } from '@exchange/core/decimal.ts';
import { MINUTE_MS } from '@exchange/core/time.ts';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { commitSeed, isLongForm } from '../../../../tools/test-form.ts';
import { PROGRAMME_TIMEOUT_MS } from '../eventually.ts';
import { anExchange } from '../exchange.ts';
import { FakeRippled } from '../fake-rippled.ts';
import { seededRandom } from '../seeded-random.ts';
import { SIGNED_SERVER_SECRET } from '../signers.ts';
import { anXrpSignerProcess, testXrpAccount, XRP_TEST_NETWORK } from '../test-xrp-signer.ts';
import { requireBuiltServer } from './built-server.ts';
import { approveWithdrawals, killAtRandom } from './killed-withdrawals.ts';
import { guardedFolder } from './server-process.ts';

/**
 * Number of kills of the server. Every third one also kills the signer. `XRP_KILLS=5 XRP_WITHDRAWALS=30` is a short
 * run. `XRP_SEED=7` repeats the run whose random numbers came from seed 7.
 */
const KILLS = Number(process.env['XRP_KILLS'] ?? 40);
const WITHDRAWALS = Number(process.env['XRP_WITHDRAWALS'] ?? 120);
const SEED = Number(process.env['XRP_SEED'] ?? commitSeed);
const LIMIT = '100/100000';
const WITHDRAWN = '25';
const DROPS = 10n ** 6n;

describe('withdrawals of XRP while everything is killed', () => {
  beforeAll(() => {
    if (isLongForm) requireBuiltServer();
  });
  afterEach(() => vi.unstubAllEnvs());

  it.skipIf(!isLongForm)(
    'XRP-031 when server and signer are killed at random instants and the node drops transactions, each withdrawal is paid once',
    { timeout: 4 * PROGRAMME_TIMEOUT_MS },
    async () => {
      console.log(`XRP_SEED=${SEED}`);
      const random = seededRandom(SEED);
      const node = new FakeRippled();
      await node.start();
      const signer = await anXrpSignerProcess(LIMIT);
      const { address: account } = await testXrpAccount();
      const start = 100_000n * DROPS;
      node.fund(account, start);
      /**
       * Closes a ledger. With a probability of one quarter the node drops all transactions that are submitted before
       * the next ledger closes.
       */
      const closeLedger = () => {
        node.isDeaf = random.whole(0, 3) === 0;
        return node.close();
      };
      const settings = {
        XRP_RPC_URL: node.url,
        XRP_ACCOUNT: account,
        XRP_NETWORK_ID: String(XRP_TEST_NETWORK),
        XRP_SIGNER: signer.place,
        XRP_SIGNER_SECRET_FILE: signer.secretFile,
        SERVER_SECRET: SIGNED_SERVER_SECRET,
        HOUSE_TRADING: 'off',
      };
      for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
      const exchange = await anExchange({ settings });
      const { guard } = guardedFolder();
      try {
        // Account 0 of the mnemonic is the exchange's hot wallet, so the receivers begin at account 1.
        const accounts = Array.from({ length: WITHDRAWALS }, (_, at) => testXrpAccount(at + 1));
        const receivers = (await Promise.all(accounts)).map(({ address }) => address);
        await approveWithdrawals(exchange, {
          asset: 'XRP',
          network: 'XRP',
          amount: WITHDRAWN,
          balance: '3000',
          receivers,
        });
        const starts = await killAtRandom(exchange, {
          kills: KILLS,
          random,
          guard,
          signer,
          closeBlock: closeLedger,
        });
        node.isDeaf = false;
        const { pool } = exchange.database;
        const paid = async () => {
          const { rows } = await pool.query<{ count: number; arrival: string }>(
            'select count(*)::int as count, min(amount - fee)::text as arrival from withdrawal where status = 1',
          );
          return rows[0]!;
        };
        const until = Date.now() + PROGRAMME_TIMEOUT_MS;
        while ((await paid()).count < WITHDRAWALS) {
          if (Date.now() > until)
            throw new Error(`${exchange.doors.chains.health().reason}; ${(await paid()).count} are paid`);
          await exchange.advanceTime(MINUTE_MS);
          await node.close(2);
          await exchange.doors.deposits.jobs.watch();
          await exchange.doors.withdrawals.jobs.advance();
        }
        const arrival = Decimal.parse((await paid()).arrival).toScaled(6);
        for (const address of receivers) expect(node.balance(address), address).toBe(arrival);
        const { wallets } = exchange.doors.chains.chains.channels.find(({ kind }) => kind === 'xrp')!;
        const held = (await wallets!.holdings(node.ledger)).get('XRP')!;
        expect(held.toScaled(6)).toBe(node.balance(account));
        const { rows } = await pool.query<{ count: number }>(
          "select (select count(*) from chain_sending where network = 'XRP')::int + count(*)::int as count from chain_variant",
        );
        console.log(
          `${KILLS} kills, ${starts} after a complete start; ${rows[0]!.count} transactions of ${WITHDRAWALS} withdrawals`,
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
