import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { instant } from '@exchange/core/time.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '../../../testing/database.ts';
import { FakeTron } from '../../../testing/fake-tron.ts';
import { recordingLog } from '../../../testing/recording-log.ts';
import { testTronXpub } from '../../../testing/test-tron-signer.ts';
import { databaseOver } from '../../platform/database/database.ts';
import { migrate } from '../../platform/database/migrate.ts';
import { TronChannel } from './tron-channel.ts';
import { tronHoldings } from './tron-repository.ts';

/**
 * Version of the migration under test, which adds the tokens that arrived before their listing to the
 * holdings.
 */
const MIGRATION = 310;
const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url));
/** The first two deposit addresses of the test mnemonic. */
const ANN = 'TWer2Ygk5TEheHp3TPuYeqxmB6SsGZmaL6';
const BOB = 'TPjjvMwjPoDC32V2dGDYTkLH4E5LAtBZ6C';
const HOUSE = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
const OUTSIDER = 'TMuA6YqfCeX8EhbfYEg5y7S4DqzSJireY9';
/** Watched tokens: one of 6 decimals that is listed later, one of 18 whose watch has ended, and one on another network. */
const TOKEN = 'TNUC9Qb1rRpS5CbWLmNMxXBjyFoydXjWFR';
const ENDED = 'TFczxzPhnThNSqr5by8tvxsdCFRRz6cPNq';
const OTHER_NETWORK = '0x00000000000000000000000000000000000000aa';

/** An arrival of tokens, with the values that the server stored before the migration existed. */
interface OldArrival {
  readonly asset: string;
  readonly amount: string;
  readonly address?: string;
  readonly sender?: string;
  readonly state?: string;
  readonly network?: string;
  readonly isRegistered?: boolean;
  readonly isGone?: boolean;
}

const folder = mkdtempSync(join(tmpdir(), 'exchange-migrations-'));
let testing: TestDatabase;
let node: FakeTron;
let stored = 0;

const migrateIn = (directory: string) =>
  migrate({ connection: testing.connection, directory, log: () => undefined });

/** Stores an arrival and, unless an operator registered it, its sighting, as the older version did. */
async function arrive({
  asset,
  amount,
  address = ANN,
  sender = OUTSIDER,
  state = 'open',
  network = 'TRC20',
  isRegistered = false,
  isGone = false,
}: OldArrival): Promise<void> {
  stored += 1;
  const txid = stored.toString(16).padStart(64, '0');
  if (!isRegistered)
    await testing.pool.query(
      `insert into chain_sighting (network, txid, output, asset, address, amount, block, block_hash, is_gone, sender)
        values ($1, $2, 0, $3, $4, $5, $6, 'hash', $7, $8)`,
      [network, txid, asset, address, amount, stored, isGone, sender],
    );
  const decided = state === 'open' ? null : 1;
  await testing.pool.query(
    `insert into treasury_arrival (id, network, asset, txid, output, address, amount, position, block,
        registered_by, state, created_at, gone_at, decided_at, decided_by, reason, account, return_txid, sender)
      values (gen_random_uuid(), $1, $2, $3, 0, $4, $5, 0, $6, $7, $8, 1, $9, $10, 'owner', 'a test', $11, $12, $13)`,
    [
      network,
      asset,
      txid,
      address,
      amount,
      stored,
      isRegistered ? 'owner' : null,
      state,
      isGone ? 2 : null,
      decided,
      state === 'assigned' ? 'capital' : null,
      state === 'returned' ? 'ab'.repeat(32) : null,
      sender,
    ],
  );
}

async function watch(network: string, contract: string, digits: number, endedAt: number | null = null) {
  await testing.pool.query(
    `insert into chain_watched_token (network, contract, name, symbol, digits, least, allowed_at, allowed_by, reason, ended_at)
      values ($1, $2, 'Token', 'TKN', $3, 1, 1, 'owner', 'a test', $4)`,
    [network, contract, digits, endedAt],
  );
}

beforeAll(async () => {
  testing = await testDatabase({ withSchema: false });
  node = new FakeTron();
  await node.start();
  for (const file of readdirSync(MIGRATIONS))
    if (file.endsWith('.sql') && Number.parseInt(file, 10) < MIGRATION)
      cpSync(join(MIGRATIONS, file), join(folder, file));
  await migrateIn(folder);
  for (const [index, address] of [ANN, BOB].entries())
    await testing.pool.query('insert into tron_address (idx, owner, address, at) values ($1, $2, $3, 1)', [
      index,
      `0190a000-0000-7000-8000-00000000000${index + 1}`,
      address,
    ]);
  await watch('TRC20', TOKEN, 6);
  await watch('TRC20', ENDED, 18, 2);
  await watch('TRC20', 'TRX', 6);
  await watch('ERC20', OTHER_NETWORK, 6);
  await testing.pool.query("insert into tron_flow (block, asset, units) values (-1, 'USDT', 9)");
});
afterAll(async () => {
  await node?.stop();
  await testing?.drop();
  rmSync(folder, { recursive: true });
});

it('TRON-032 what arrived of watched tokens before the upgrade counts once, under the contract, and is held and swept from the listing on', async () => {
  await arrive({ asset: TOKEN, amount: '5' });
  await arrive({ asset: TOKEN, amount: '7.000001', state: 'assigned', address: HOUSE });
  await arrive({ asset: ENDED, amount: '0.000000000000000001', address: BOB });
  await arrive({ asset: ENDED, amount: '99999999999999999999', address: BOB });
  // The migration leaves out the following arrivals: those that operators sent back, dismissed or registered
  // by hand, one that the network dropped, one from a deposit address (counted there already), TRX, and
  // another network's.
  await arrive({ asset: TOKEN, amount: '3', state: 'returned' });
  await arrive({ asset: TOKEN, amount: '2', state: 'dismissed' });
  await arrive({ asset: TOKEN, amount: '4', isRegistered: true });
  await arrive({ asset: TOKEN, amount: '6', isGone: true });
  await arrive({ asset: TOKEN, amount: '5', address: HOUSE, sender: ANN });
  await arrive({ asset: 'TRX', amount: '8' });
  await arrive({ asset: OTHER_NETWORK, amount: '10', network: 'ERC20' });
  expect((await migrateIn(MIGRATIONS)).applied).toContain(MIGRATION);

  const database = databaseOver(testing.pool);
  expect(await tronHoldings(database.reader, 1_000)).toEqual(
    new Map([
      ['USDT', 9n],
      [TOKEN, 12_000_001n],
      [ENDED, 99_999_999_999_999_999_999_000_000_000_000_000_001n],
    ]),
  );
  const held = async () => {
    const { rows } = await testing.pool.query<{ idx: number; asset: string; block: string }>(
      'select idx, asset, block::text from tron_holding order by idx',
    );
    return rows;
  };
  expect(await held()).toEqual([
    { idx: 0, asset: TOKEN, block: '6' },
    { idx: 1, asset: ENDED, block: '4' },
  ]);

  const channel = new TronChannel({
    settings: {
      rpcUrl: `${node.url}/`,
      fullUrl: undefined,
      secondUrl: undefined,
      xpub: testTronXpub(),
      chain: 'nile',
      tokens: new Map([['USDT', { contract: TOKEN, digits: 6 }]]),
      startBlock: 1,
      reserves: [HOUSE],
      sending: undefined,
      cold: undefined,
      bounds: new Map(),
      feeMost: 60_000_000n,
      sweepLeast: undefined,
    },
    clock: { now: () => instant(Date.now()), monotonicMs: () => 0 },
    database,
    log: recordingLog(),
  });
  await channel.start();
  expect((await channel.wallets.holdings(1_000)).get('USDT')?.toString()).toBe('12.00001');
  expect((await held()).map(({ asset }) => asset)).toEqual(['USDT', ENDED]);
});
