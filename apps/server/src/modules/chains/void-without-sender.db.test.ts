import { instant } from '@exchange/core/time.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testDatabase, withRuntimeRole, type TestDatabase } from '../../../testing/database.ts';
import { createKysely, openDatabase } from '../../platform/database/pool.ts';
import { originsOfTransactions, voidWithoutSender } from './void-repository.ts';

const NOW = instant(1_790_000_000_000);
const BATCH = '0199aa00-0000-7000-8000-0000000000b1';

describe('a payment whose channel the settings no longer contain', () => {
  let database: TestDatabase;
  let pool: ReturnType<typeof openDatabase>;

  beforeEach(async () => {
    database = await testDatabase();
    pool = openDatabase({ connection: withRuntimeRole(database.connection), log: () => undefined, size: 1 });
  });
  afterEach(async () => {
    await pool.end();
    await database.drop();
  });

  const voided = (origin: string) => voidWithoutSender(createKysely(pool), origin, NOW);
  const found = (txid: string) => originsOfTransactions(createKysely(pool), [txid]);

  /** Stores a batch of the Bitcoin family with the payments `a` and `b`, as the sender plans it. */
  async function planBatch(): Promise<void> {
    await database.pool.query(
      "insert into utxo_batch (id, network, fee, created_at) values ($1, 'LTC', 400, 1)",
      [BATCH],
    );
    await database.pool.query(
      `insert into utxo_payment (origin, batch, place, kind, owner, address, units, digest, approved_by)
       select origin, $1, n, 'pay', 'user', 'ltc1', 1000, 'd', 'operator'
       from unnest(array['a', 'b']) with ordinality as t(origin, n)`,
      [BATCH],
    );
  }
  /** Stores a signed transaction of the batch that makes all payments except `without`. */
  async function sign(number: number, without: readonly string[]): Promise<void> {
    await database.pool.query(
      `insert into utxo_variant (batch, number, txid, raw, fee, vbytes, without, height, at)
       values ($1, $2, $3, 'raw', 400, 200, $4, 5, 1)`,
      [BATCH, number, `tx${number}`, without],
    );
  }
  /** Stores a payment on Ethereum; its signature was requested at `signingAt`, or never if that is null. */
  async function request(origin: string, signingAt: number | null): Promise<void> {
    await database.pool.query(
      `insert into chain_sending (origin, network, asset, address, amount, asked_at, signing_at)
       values ($1, 'ERC20', 'USDT', '0x1', 5, 1, $2)`,
      [origin, signingAt],
    );
  }

  it('WDR-1209 is returned only if no signature was requested and no batch contains it, on every network', async () => {
    expect(await voided('never')).toEqual({ state: 'unsigned' });
    await request('queued', null);
    expect(await voided('queued')).toEqual({ state: 'unsigned' });
    await request('asked', 7);
    expect(await voided('asked')).toEqual({ state: 'waiting', txid: '' });
    // The signer may have signed a batch although its answer is not stored.
    await planBatch();
    expect(await voided('a')).toEqual({ state: 'waiting', txid: '' });
    await sign(0, []);
    await sign(1, ['b']);
    expect(await voided('a')).toEqual({ state: 'waiting', txid: 'tx1' });
    expect(await voided('b')).toEqual({ state: 'waiting', txid: 'tx0' });
  });

  it('OPS-1225 is found by every transaction that was signed for it, also by one that was replaced', async () => {
    await planBatch();
    await sign(0, []);
    await sign(1, ['b']);
    expect((await found('tx0')).toSorted()).toEqual(['a', 'b']);
    expect(await found('tx1')).toEqual(['a']);
    expect(await found('tx2')).toEqual([]);
  });
});
