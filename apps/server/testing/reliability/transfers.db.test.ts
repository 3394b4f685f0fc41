import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Decimal } from '@exchange/core/decimal.ts';
import { WITHDRAWALS_PER_DAY } from '@exchange/core/network.ts';
import { DAY_MS } from '@exchange/core/time.ts';
import { depositAddress, depositRecords } from '@exchange/wire/deposit.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import { withdrawalDetail } from '@exchange/wire/withdrawal.ts';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { commitSeed, isLongForm } from '../../../../tools/test-form.ts';
import { createSaver } from '../../src/modules/finance/testing/products.ts';
import { account, Anvil, ANVIL_CHAIN, testXpub, withoutAnvil } from '../anvil.ts';
import { withRuntimeRole, urlOf } from '../database.ts';
import { eventually, PROGRAMME_TIMEOUT_MS } from '../eventually.ts';
import { markAddressKnown } from '../mark-address-known.ts';
import { anExchange, type TestExchange } from '../exchange.ts';
import { aSignerProcess } from '../test-signer.ts';
import { SIGNED_SERVER_SECRET } from '../signers.ts';
import { requireBuiltServer } from './built-server.ts';
import { ExitProgramme } from './exit-programme.ts';
import { guardedFolder, ServerProcess } from './server-process.ts';
import { TreasuryProgramme } from './treasury-programme.ts';

const skipped = withoutAnvil();
/**
 * Numbers of withdrawals and deposits: more than kills, so that something is left to interrupt at the last
 * kill, even on a machine on which much happens between two kills.
 */
const WITHDRAWALS = 140;
const DEPOSITS = 140;
/**
 * Number of times that the server is killed in the programme of transfers, and in that of exits; by default 100. The
 * environment variable TRANSFER_KILLS sets another number.
 */
const KILLS = Number(process.env['TRANSFER_KILLS'] ?? 100);
/**
 * Number of kills in the treasury programme, by default 100. To repeat a run with, for example, 20 kills and seed 7,
 * set `TREASURY_KILLS=20 TREASURY_SEED=7`.
 */
const TREASURY_KILLS = Number(process.env['TREASURY_KILLS'] ?? 100);
/**
 * Maximum time in milliseconds that a kill and the following start take in the treasury programme on a busy machine.
 */
const MS_PER_KILL = 120_000;
const TREASURY_SEED = Number(process.env['TREASURY_SEED'] ?? commitSeed);
const CONFIRMATIONS = 3;
const POLL_MS = 2;
const BLOCK_MS = 600;
const ARRIVES = 10n ** 16n;
const DEPOSITED = 2n * 10n ** 16n;

/**
 * States of a deposit or withdrawal. Each has an SQL query that counts the deposits or withdrawals which have reached
 * it. The test kills the server when this number has increased.
 */
const STATES: Readonly<Record<string, string>> = {
  'sending asked for': 'select count(*) from chain_sending',
  'transaction stored': 'select count(*) from chain_sending where raw is not null',
  'withdrawal has its transaction': 'select count(*) from withdrawal where txid is not null',
  'paid in a block': 'select count(*) from chain_sighting',
  'deposit seen': 'select count(*) from deposit',
  'withdrawal in a block': 'select count(*) from withdrawal where block is not null',
  'deposit credited': 'select count(*) from deposit where status = 1',
  'withdrawal finished': 'select count(*) from withdrawal where status = 1',
};

describe.skipIf(skipped !== undefined)('transfers on a real chain', () => {
  beforeAll(requireBuiltServer);
  afterEach(() => vi.unstubAllEnvs());

  it.skipIf(!isLongForm)(
    'WDR-023 DEP-035 when killed in every state, server and signer pay each withdrawal once and credit each deposit once',
    { timeout: PROGRAMME_TIMEOUT_MS },
    async () => {
      const anvil = await Anvil.start();
      const token = await anvil.deployToken(account(0));
      const signer = await aSignerProcess(token, 'ETH=10/100');
      const settings = {
        EVM_RPC_URL: anvil.url,
        EVM_CHAIN_ID: String(ANVIL_CHAIN),
        EVM_XPUB: testXpub(),
        EVM_CONFIRMATIONS: String(CONFIRMATIONS),
        EVM_WALLET: account(0).address,
        EVM_SIGNER: signer.place,
        EVM_SIGNER_SECRET_FILE: signer.secretFile,
        SERVER_SECRET: SIGNED_SERVER_SECRET,
      };
      for (const [name, value] of Object.entries({ ...settings, HOUSE_TRADING: 'off' }))
        vi.stubEnv(name, value);
      const exchange = await anExchange({ settings });
      const { guard } = guardedFolder();
      const nonceBefore = Number(await anvil.rpc('eth_getTransactionCount', account(0).address, 'latest'));
      try {
        // The test stops the signer, so that it signs no withdrawal before the kills begin.
        await signer.kill();
        const saver = await createSaver(exchange, { ETH: '10' });
        const depositTo = (await saver.request(depositAddress, { currency: 'ETH', network: 'ERC20' }))
          .address;
        await exchange.doors.deposits.jobs.watch();
        // A user's withdrawals are blocked for a day after the trade password was set. The killed server uses the
        // system clock, so the test removes the block from the database.
        await exchange.database.pool.query('update user_account set hold_until = 0 where id = $1', [
          saver.id,
        ]);
        const ids: string[] = [];
        for (let index = 0; index < WITHDRAWALS; index += 1) {
          // The server limits the number of a user's withdrawals in 24 hours, so this statement moves the
          // earlier ones back by a day.
          if (index > 0 && index % WITHDRAWALS_PER_DAY === 0)
            await exchange.database.pool.query('update withdrawal set created_at = created_at - $1', [
              DAY_MS,
            ]);
          const request = {
            asset: 'ETH',
            network: 'ERC20',
            amount: Decimal.parse('0.011'),
            address: receiver(index),
          };
          const emptyFields = { addressId: undefined, memo: undefined, remark: undefined };
          const { review, withdrawals } = exchange.doors.withdrawals;
          await markAddressKnown(exchange, saver.id, 'ETH', 'ERC20', request.address);
          const { id } = await withdrawals.submit(saver.id, { ...request, ...emptyFields });
          await review.decide(id, 'approve', { by: 'an operator', persons: 1 });
          ids.push(id);
        }
        const killedAt: string[] = [];
        await exchange.restart(async () => {
          await signer.start();
          const { connection } = exchange.database;
          const server = await ServerProcess.prepare({
            databaseUrl: urlOf(withRuntimeRole(connection)),
            databaseOwnerUrl: urlOf(connection),
            within: { dataDirectory: exchange.dataDirectory, guard },
            settings: { SERVER_SECRET: SIGNED_SERVER_SECRET },
          });
          const world = mineAndPay(anvil, depositTo);
          try {
            for (let kill = 0; kill < KILLS; kill += 1) {
              const state = await stateAhead(exchange, kill);
              // No state is left that a kill could interrupt, because all deposits and withdrawals are complete.
              if (state === undefined) break;
              const countBefore = await countOf(exchange, state);
              server.launch();
              await eventually(async () => {
                const count = await countOf(exchange, state);
                if (count <= countBefore)
                  throw new Error(`${state} stays at ${count}:\n${server.output.join('\n')}`);
              }, POLL_MS);
              await server.killServer();
              if (kill % 3 === 2) await signer.restart();
              killedAt.push(`${state} ${await countOf(exchange, state)}`);
            }
          } finally {
            await server.close();
            await world.end();
          }
        });
        await eventually(async () => {
          await anvil.mine(1);
          await exchange.doors.deposits.jobs.watch();
          await exchange.doors.withdrawals.jobs.advance();
          const states = await Promise.all(
            ids.map(async (id) => (await saver.request(withdrawalDetail, { id })).status),
          );
          expect(states.filter((state) => state !== 1)).toEqual([]);
          expect(await countOf(exchange, 'deposit credited')).toBe(DEPOSITS);
        }, 200);
        for (let index = 0; index < WITHDRAWALS; index += 1)
          expect(await anvil.balance(receiver(index))).toBe(ARRIVES);
        const signed = readFileSync(join(signer.folder, 'memory', 'signed.jsonl'), 'utf8')
          .split('\n')
          .filter(Boolean);
        expect(signed).toHaveLength(WITHDRAWALS);
        const nonceAfter = Number(await anvil.rpc('eth_getTransactionCount', account(0).address, 'latest'));
        expect(nonceAfter - nonceBefore).toBe(WITHDRAWALS);
        const { availableCurrency, frozenCurrency } = (await saver.request(spotAssets, { currency: 'ETH' }))
          .list[0]!;
        expect([availableCurrency, frozenCurrency]).toEqual(['11.26', '0']);
        expect((await saver.request(depositRecords)).totalRow).toBe(DEPOSITS);
        expect(killedAt).toHaveLength(KILLS);
        console.log(`killed at: ${killedAt.join(', ')}`);
        // `close` throws if the ledger, the holds or the order books are inconsistent.
        await exchange.close();
      } finally {
        await signer.close();
        await anvil.stop();
        await guard.cleanUp();
      }
    },
  );

  it.skipIf(!isLongForm)(
    'WDR-1168 when killed in every state of an exit, server and signer pay each withdrawal once or return it once',
    { timeout: 4 * PROGRAMME_TIMEOUT_MS },
    async () => {
      const programme = await ExitProgramme.start();
      try {
        await programme.prepare();
        const killedAt = await programme.killAndRestart(KILLS);
        const outcome = await programme.finish();
        expect(killedAt).toHaveLength(KILLS);
        console.log(`killed at: ${killedAt.join(', ')}; ${outcome}`);
      } finally {
        await programme.close();
      }
    },
  );

  it.skipIf(!isLongForm)(
    'TRE-081 KEY-021 when server and signer are killed at random instants, everything that two operators do with money happens once',
    { timeout: Math.max(4 * PROGRAMME_TIMEOUT_MS, TREASURY_KILLS * MS_PER_KILL) },
    async () => {
      console.log(`TREASURY_SEED=${TREASURY_SEED}`);
      const programme = await TreasuryProgramme.start({
        kills: TREASURY_KILLS,
        seed: TREASURY_SEED,
        withdrawals: TREASURY_KILLS,
        say: console.log,
      });
      try {
        await programme.prepare();
        const killed = await programme.killAndRestart();
        const outcome = await programme.finish();
        expect(killed).toHaveLength(TREASURY_KILLS);
        console.log(`killed: ${killed.join(', ')}; ${outcome}; ${programme.repeatedCalls} calls repeated`);
      } finally {
        await programme.close();
      }
    },
  );
});

/** Mines blocks regularly while the server is killed, until the test stops it, and makes `DEPOSITS` deposits. */
function mineAndPay(anvil: Anvil, to: string) {
  const stopped = new AbortController();
  const running = (async () => {
    for (let paid = 0; paid < DEPOSITS || !stopped.signal.aborted; paid += 1) {
      if (paid < DEPOSITS) await anvil.pay(account(1), to, DEPOSITED);
      await anvil.mine(1);
      if (!stopped.signal.aborted) await sleep(BLOCK_MS);
    }
  })();
  return {
    end: async () => {
      stopped.abort();
      await running;
    },
  };
}

/**
 * Finds a state that not all deposits or withdrawals have reached yet. The search begins at index `offset` of `STATES`
 * and continues from its start. Returns undefined if all have reached every state.
 */
async function stateAhead(exchange: TestExchange, offset: number): Promise<string | undefined> {
  const names = Object.keys(STATES);
  const rotated = names.map((_, at) => names[(offset + at) % names.length]!);
  for (const state of rotated) {
    const total = state.startsWith('deposit') || state.startsWith('paid') ? DEPOSITS : WITHDRAWALS;
    if ((await countOf(exchange, state)) < total) return state;
  }
  return undefined;
}

async function countOf({ database }: TestExchange, state: string): Promise<number> {
  const { rows } = await database.pool.query<{ count: string }>(STATES[state]!);
  return Number(rows[0]!.count);
}

function receiver(index: number): string {
  return `0x${(0x5eed_0000 + index).toString(16).padStart(40, '0')}`;
}
