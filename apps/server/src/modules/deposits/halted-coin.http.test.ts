import { Refused } from '@exchange/core/refusal.ts';
import { MINUTE_MS } from '@exchange/core/time.ts';
import { depositAddress, depositRecords, sendTestDeposit } from '@exchange/wire/deposit.ts';
import { spotAssets } from '@exchange/wire/spot.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { anExchange, type TestExchange, type TestTrader } from '../../../testing/exchange.ts';
import { operate } from '../../../testing/operators.ts';
import { poisonRows } from '../../../testing/poison.ts';

/** Number of waiting deposits in the test; it is larger than the number that the deposit job reads per page. */
const WAITING = 510;
const BLOCKS = 2 * MINUTE_MS;

describe('deposits that wait', () => {
  let exchange: TestExchange;
  beforeAll(async () => {
    exchange = await anExchange();
  });
  afterAll(() => exchange.close());

  /**
   * Runs the deposit job. If the run is refused because of maintenance, it is repeated: the sequencer may be recovering
   * from a failed step of the scheduled job. Any other error is thrown at once.
   */
  async function watch(): Promise<void> {
    const failure = await eventually(async () => {
      try {
        await exchange.doors.deposits.jobs.watch();
      } catch (cause) {
        if (cause instanceof Refused && cause.refusal.kind === 'maintenance') throw cause;
        return { cause };
      }
      return undefined;
    });
    if (failure !== undefined) throw failure.cause;
  }
  const rows = async <Row>(query: string, values: unknown[] = []) =>
    (await exchange.database.pool.query(query, values)).rows as Row[];
  const credited = async (asset: string): Promise<number> => {
    const [row] = await rows<{ count: number }>(
      'select count(*)::int as count from deposit where asset = $1 and status = 1',
      [asset],
    );
    return row!.count;
  };
  /**
   * The number of the last step that the sequencer stored (table `writer`), and the number of rows of the journal with
   * their total length in characters.
   */
  const journal = () =>
    rows(`select (select sequence::text from writer) as sequence, count(*)::int as batches,
      coalesce(sum(length(steps)), 0)::int as characters from step_journal`);

  /**
   * Inserts `WAITING` pending deposits of XRP of a user directly into the database; all of them have enough
   * confirmations.
   */
  async function manyConfirmed(owner: TestTrader): Promise<void> {
    const { address } = await owner.request(depositAddress, { currency: 'XRP', network: 'XRP' });
    await rows(
      `insert into deposit (id, owner, asset, network, address, memo, txid, output, amount, remark, position, block,
         confirmations, status, is_small, created_at, finished_at)
       select gen_random_uuid(), $1, 'XRP', 'XRP', $2, null, 'made ' || n, 0, 50, null, 0, n, 1, 0, false, 0, null
       from generate_series(1, ${WAITING}) n`,
      [owner.id, address],
    );
  }

  it('DEP-620 wait without steps or journal rows, do not block other coins, and are credited when the halt is lifted', async () => {
    const trader = await exchange.aUser();
    await manyConfirmed(trader);
    await operate(exchange, '/ops/assets/xrp/halt', {
      reason: 'the node is in doubt',
      publicCause: 'network',
    });
    await trader.request(sendTestDeposit, { currency: 'USDT', network: 'TRC20', amount: '20' });
    await watch();
    await exchange.advanceTime(BLOCKS);
    await watch();
    const { list } = await trader.request(depositRecords, { currency: 'USDT' });
    expect(list).toMatchObject([{ status: 1, amount: '20' }]);

    const before = await journal();
    for (let minute = 0; minute < 30; minute += 1) await watch();
    expect(await journal()).toEqual(before);
    expect(await credited('XRP')).toBe(0);

    await operate(exchange, '/ops/assets/xrp/lift', { reason: 'the node is well' });
    await watch();
    expect(await credited('XRP')).toBe(WAITING);
  });

  it('DEP-620 are not proposed in vain while a halt is detected but not stored', async () => {
    const trader = await exchange.aUser();
    await trader.request(sendTestDeposit, { currency: 'LTC', network: 'LTC', amount: '2' });
    await trader.request(sendTestDeposit, { currency: 'DOGE', network: 'DOGE', amount: '400' });
    await watch();
    await exchange.advanceTime(BLOCKS);
    // Removes earlier log lines, because the previous test may have logged a refusal caused by the halt.
    exchange.log.lines.length = 0;
    exchange.doors.ledger.halt('LTC', 'test', 'found broken');
    await watch();
    expect([await credited('LTC'), await credited('DOGE')]).toEqual([0, 1]);
    expect(exchange.log.lines.filter(({ event }) => event === 'due_work.item_failed')).toEqual([]);
    await exchange.doors.halting.halt('LTC', { by: 'test', reason: 'found broken' });
    await exchange.doors.halting.lift('LTC', { by: 'test', reason: 'mended' });
    await watch();
    expect(await credited('LTC')).toBe(1);
  });

  async function balance(trader: TestTrader, coin: string): Promise<string | undefined> {
    const { list } = await trader.request(spotAssets);
    return list.find(({ currencyName }) => currencyName === coin)?.availableCurrency;
  }

  /** Inserts deposits of 0.01 USDT that wait for the minimum, oldest first by their ids. */
  async function manySmall(owner: TestTrader, count: number): Promise<void> {
    const { address } = await owner.request(depositAddress, { currency: 'USDT', network: 'ERC20' });
    await rows(
      `insert into deposit (id, owner, asset, network, address, memo, txid, output, amount, remark, position, block,
         confirmations, status, is_small, created_at, finished_at)
       select ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $1, 'USDT', 'ERC20', $2, null,
         'small ' || n, 0, 0.01, null, 0, n, 1, 0, true, 0, null
       from generate_series(1, $3::int) n`,
      [owner.id, address, count],
    );
  }

  const failing = (work: string) =>
    exchange.doors.bulkheads.failing().flatMap((item) => (item.work === work ? [item.key] : []));

  it('DEP-1081 deposits that have come to the minimum together are credited 256 a step, over failures and to the last', async () => {
    const trader = await exchange.aUser();
    await manySmall(trader, 600);
    await trader.request(sendTestDeposit, { currency: 'USDT', network: 'ERC20', amount: '5' });
    await watch();
    // The scheduled job may credit deposits as soon as the blocks exist, so everything else is prepared before the
    // clock advances.
    const before = await credited('USDT');
    const mend = await poisonRows(exchange, 'deposit', 'update', "old.txid = 'small 600'");
    await exchange.advanceTime(BLOCKS);
    await watch();
    expect((await credited('USDT')) - before).toBe(512);
    const place = `${trader.id} ERC20 USDT`;
    expect(failing('released deposits')).toEqual([place]);
    // The deposits that are left (0.01 USDT each) are together below the minimum. They are credited nevertheless,
    // because an earlier step released them when all 601 together had reached the minimum.
    await mend();
    exchange.clock.shift(MINUTE_MS);
    await watch();
    expect((await credited('USDT')) - before).toBe(601);
    expect(failing('released deposits')).toEqual([]);
    expect(await rows('select from deposit_release')).toEqual([]);
    expect(await balance(trader, 'USDT')).toBe('11');
    // None of the released deposits is left, so a new deposit below the minimum has to wait for further ones again.
    await trader.request(sendTestDeposit, { currency: 'USDT', network: 'ERC20', amount: '5' });
    await watch();
    await exchange.advanceTime(BLOCKS);
    await watch();
    expect(await balance(trader, 'USDT')).toBe('11');
  });

  it('DEP-1080 JOB-692 a deposit that cannot be credited is reported, and those of its step are credited', async () => {
    const trader = await exchange.aUser();
    for (const amount of ['400', '500', '600'])
      await trader.request(sendTestDeposit, { currency: 'DOGE', network: 'DOGE', amount });
    await watch();
    const [bad] = await rows<{ id: string }>('select id from deposit where owner = $1 and amount = 500', [
      trader.id,
    ]);
    const mend = await poisonRows(
      exchange,
      'deposit',
      'update',
      `old.id = '${bad!.id}' and new.finished_at is not null`,
    );
    await exchange.advanceTime(BLOCKS);
    await watch();
    expect(await balance(trader, 'DOGE')).toBe('1000');
    expect(failing('deposits')).toEqual([bad!.id]);
    await mend();
    await watch();
    // The deposit whose credit failed is retried after a minute.
    expect(await balance(trader, 'DOGE')).toBe('1000');
    exchange.clock.shift(MINUTE_MS);
    await watch();
    expect(await balance(trader, 'DOGE')).toBe('1500');
    expect(failing('deposits')).toEqual([]);
  });

  it('DEP-1080 a channel of which a transfer cannot be stored is read again later, and what it brought before is credited', async () => {
    const trader = await exchange.aUser();
    await trader.request(sendTestDeposit, { currency: 'DOGE', network: 'DOGE', amount: '700' });
    await watch();
    await exchange.advanceTime(BLOCKS);
    const mend = await poisonRows(exchange, 'deposit', 'insert', "new.network = 'LTC'");
    await trader.request(sendTestDeposit, { currency: 'LTC', network: 'LTC', amount: '3' });
    await watch();
    expect(await balance(trader, 'DOGE')).toBe('700');
    expect(failing('deposit channels')).toHaveLength(1);
    await mend();
    exchange.clock.shift(MINUTE_MS);
    await watch();
    await exchange.advanceTime(BLOCKS);
    await watch();
    expect(await balance(trader, 'LTC')).toBe('3');
    expect(failing('deposit channels')).toEqual([]);
  });
});
