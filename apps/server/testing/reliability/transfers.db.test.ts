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
import { isLongForm } from '../../../../tools/test-form.ts';
import { aSaver } from '../../src/modules/finance/testing/products.ts';
import { account, Anvil, ANVIL_CHAIN, testXpub, withoutAnvil } from '../anvil.ts';
import { asRuntime, urlOf } from '../database.ts';
import { eventually, PROGRAMME_TIMEOUT_MS } from '../eventually.ts';
import { knowAddress } from '../known-address.ts';
import { anExchange, type TestExchange } from '../exchange.ts';
import { aSignerProcess } from '../test-signer.ts';
import { requireBuiltServer } from './built-server.ts';
import { guardedFolder, ServerProcess } from './server-process.ts';

const skipped = withoutAnvil();
const WITHDRAWALS = 100;
const DEPOSITS = 100;
const KILLS = 100;
const CONFIRMATIONS = 3;
const POLL_MS = 2;
const BLOCK_MS = 600;
const ARRIVES = 10n ** 16n;
const DEPOSITED = 2n * 10n ** 16n;

/** Counts that grow when something has gone one state further; the server is killed when one has. */
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
    'WDR-023 DEP-035 killed in every state, server and signer pay each withdrawal once and credit each deposit once',
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
      };
      for (const [name, value] of Object.entries({ ...settings, HOUSE_TRADING: 'off' }))
        vi.stubEnv(name, value);
      const exchange = await anExchange({ settings });
      const { guard } = guardedFolder();
      const before = Number(await anvil.ask('eth_getTransactionCount', account(0).address, 'latest'));
      try {
        // Nothing is signed before the server that is killed asks for it.
        await signer.kill();
        const of = await aSaver(exchange, { ETH: '10' });
        const to = (await of.ask(depositAddress, { currency: 'ETH', network: 'ERC20' })).address;
        await exchange.doors.deposits.jobs.watch();
        // The new trade password holds withdrawals for a day; the server that is killed has the machine's own time.
        await exchange.database.pool.query('update user_account set hold_until = 0 where id = $1', [of.id]);
        const ids: string[] = [];
        for (let turn = 0; turn < WITHDRAWALS; turn += 1) {
          // Nobody asks for more than so many within a day: these are from the day before.
          if (turn > 0 && turn % WITHDRAWALS_PER_DAY === 0)
            await exchange.database.pool.query('update withdrawal set created_at = created_at - $1', [
              DAY_MS,
            ]);
          const request = {
            asset: 'ETH',
            network: 'ERC20',
            amount: Decimal.parse('0.011'),
            address: receiver(turn),
          };
          const none = { addressId: undefined, memo: undefined, remark: undefined };
          const { withdrawals } = exchange.doors.withdrawals;
          await knowAddress(exchange, of.id, 'ETH', 'ERC20', request.address);
          const { id } = await withdrawals.submit(of.id, { ...request, ...none });
          await withdrawals.decide(id, 'approve', { by: 'an operator', persons: 1 });
          ids.push(id);
        }
        const killedAt: string[] = [];
        await exchange.restart(async () => {
          await signer.start();
          const { connection } = exchange.database;
          const server = await ServerProcess.prepare({
            databaseUrl: urlOf(asRuntime(connection)),
            databaseOwnerUrl: urlOf(connection),
            within: { dataDirectory: exchange.dataDirectory, guard },
          });
          const world = aWorld(anvil, to);
          try {
            for (let kill = 0; kill < KILLS; kill += 1) {
              const state = await stateAhead(exchange, kill);
              // Everything has come to its end: there is nothing left to interrupt.
              if (state === undefined) break;
              const had = await counted(exchange, state);
              server.launch();
              await eventually(async () => {
                const has = await counted(exchange, state);
                if (has <= had) throw new Error(`${state} stays at ${has}:\n${server.output.join('\n')}`);
              }, POLL_MS);
              await server.killServer();
              if (kill % 3 === 2) await signer.restart();
              killedAt.push(`${state} ${await counted(exchange, state)}`);
            }
          } finally {
            await server.close();
            await world.end();
          }
        });
        await eventually(async () => {
          await anvil.mine(1);
          await exchange.doors.deposits.jobs.watch();
          await exchange.doors.withdrawals.jobs.move();
          const states = await Promise.all(
            ids.map(async (id) => (await of.ask(withdrawalDetail, { id })).status),
          );
          expect(states.filter((state) => state !== 1)).toEqual([]);
          expect(await counted(exchange, 'deposit credited')).toBe(DEPOSITS);
        }, 200);
        for (let turn = 0; turn < WITHDRAWALS; turn += 1)
          expect(await anvil.balance(receiver(turn))).toBe(ARRIVES);
        const signed = readFileSync(join(signer.folder, 'memory', 'signed.jsonl'), 'utf8')
          .split('\n')
          .filter(Boolean);
        expect(signed).toHaveLength(WITHDRAWALS);
        const used = Number(await anvil.ask('eth_getTransactionCount', account(0).address, 'latest'));
        expect(used - before).toBe(WITHDRAWALS);
        const { availableCurrency, frozenCurrency } = (await of.ask(spotAssets, { currency: 'ETH' }))
          .list[0]!;
        expect([availableCurrency, frozenCurrency]).toEqual(['10.9', '0']);
        expect((await of.ask(depositRecords)).totalRow).toBe(DEPOSITS);
        expect(killedAt).toHaveLength(KILLS);
        console.log(`killed at: ${killedAt.join(', ')}`);
        // Throws unless the ledger, what is held and the books add up.
        await exchange.close();
      } finally {
        await signer.close();
        await anvil.stop();
        await guard.act();
      }
    },
  );
});

/** Blocks come, and with them payments, while the server is killed. */
function aWorld(anvil: Anvil, to: string) {
  const over = new AbortController();
  const running = (async () => {
    for (let paid = 0; paid < DEPOSITS || !over.signal.aborted; paid += 1) {
      if (paid < DEPOSITS) await anvil.pay(account(1), to, DEPOSITED);
      await anvil.mine(1);
      if (!over.signal.aborted) await sleep(BLOCK_MS);
    }
  })();
  return {
    end: async () => {
      over.abort();
      await running;
    },
  };
}

/** The next of the states that something has still to come to. */
async function stateAhead(exchange: TestExchange, turn: number): Promise<string | undefined> {
  const names = Object.keys(STATES);
  const order = names.map((_, at) => names[(turn + at) % names.length]!);
  for (const state of order) {
    const all = state.startsWith('deposit') || state.startsWith('paid') ? DEPOSITS : WITHDRAWALS;
    if ((await counted(exchange, state)) < all) return state;
  }
  return undefined;
}

async function counted({ database }: TestExchange, state: string): Promise<number> {
  const { rows } = await database.pool.query<{ count: string }>(STATES[state]!);
  return Number(rows[0]!.count);
}

function receiver(turn: number): string {
  return `0x${(0x5eed_0000 + turn).toString(16).padStart(40, '0')}`;
}
